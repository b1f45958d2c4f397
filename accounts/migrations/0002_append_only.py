"""The audit trail and the ledger are only ever added to: the database refuses the rest."""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION flux_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
"""


def guard(table: str) -> migrations.RunSQL:
    """Refuse updates and deletes of a table's rows."""
    return migrations.RunSQL(
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION flux_append_only();",
        f"DROP TRIGGER {table}_append_only ON {table};",
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION flux_append_only();"),
        guard("accounts_auditevent"),
        guard("accounts_ledgerentry"),
    ]
