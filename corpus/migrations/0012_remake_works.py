from django.db import migrations

# Works were one for all readers. They are made anew within their scopes by services.works.drain,
# from what the documents say, so nothing is lost with the former rows.
REMAKE = """
UPDATE corpus_document SET work_id = NULL WHERE work_id IS NOT NULL;
DELETE FROM corpus_worklink;
DELETE FROM corpus_work;
INSERT INTO corpus_unsettled (document_id) SELECT id FROM corpus_document
ON CONFLICT DO NOTHING;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0011_works"),
    ]

    operations = [
        migrations.RunSQL(REMAKE, migrations.RunSQL.noop),
    ]
