from django.db import migrations

MOVE = """
INSERT INTO corpus_relationdraft (
    document_id, position, subject, subject_label, subject_kind, predicate, object, object_label,
    object_kind, sign, record, pmids, fields
)
SELECT
    d.id,
    r.ordinality - 1,
    left(r.value->>'subject', 255),
    coalesce(r.value->>'subject_label', ''),
    left(coalesce(r.value->>'subject_kind', ''), 20),
    left(r.value->>'predicate', 60),
    left(r.value->>'object', 255),
    coalesce(r.value->>'object_label', ''),
    left(coalesce(r.value->>'object_kind', ''), 20),
    coalesce((r.value->>'sign')::smallint, 0),
    left(coalesce(r.value->>'record', ''), 255),
    ARRAY(SELECT left(jsonb_array_elements_text(coalesce(r.value->'pmids', '[]'::jsonb)), 20)),
    '{}'::jsonb
FROM corpus_document d, jsonb_array_elements(d.relations) WITH ORDINALITY AS r(value, ordinality)
"""


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0004_rows"),
    ]

    operations = [
        migrations.RunSQL(MOVE, migrations.RunSQL.noop),
    ]
