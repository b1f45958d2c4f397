"""Vectors stay in their row; followers hear of changes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("corpus", "0001_initial")]
    operations = [
        migrations.RunSQL(
            # TOAST makes exact scans five times slower above 1,000 dimensions (SEARCHCOST 4).
            "ALTER TABLE corpus_chunkvector ALTER COLUMN vector SET STORAGE PLAIN;",
            "ALTER TABLE corpus_chunkvector ALTER COLUMN vector SET STORAGE EXTERNAL;",
        ),
        migrations.RunSQL(
            """
            CREATE FUNCTION flux_change_heard() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_notify('flux_change', '');
                RETURN NULL;
            END $$;
            CREATE TRIGGER corpus_change_heard AFTER INSERT ON corpus_change
                FOR EACH STATEMENT EXECUTE FUNCTION flux_change_heard();
            """,
            """
            DROP TRIGGER corpus_change_heard ON corpus_change;
            DROP FUNCTION flux_change_heard();
            """,
        ),
    ]
