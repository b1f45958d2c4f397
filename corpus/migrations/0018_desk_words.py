"""How the desk names its rows."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0017_desk_indexes"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="aliasruling",
            options={"verbose_name": "ruling on a name", "verbose_name_plural": "rulings on names"},
        ),
        migrations.AlterModelOptions(
            name="ingestjob",
            options={"ordering": ["-id"], "verbose_name": "job", "verbose_name_plural": "jobs"},
        ),
        migrations.AlterModelOptions(
            name="jobitem",
            options={
                "ordering": ["job", "id"],
                "verbose_name": "item of a job",
                "verbose_name_plural": "items of jobs",
            },
        ),
        migrations.AlterModelOptions(
            name="term",
            options={
                "ordering": ["document", "position"],
                "verbose_name": "entity of a vocabulary",
                "verbose_name_plural": "entities of vocabularies",
            },
        ),
        migrations.AlterModelOptions(
            name="work",
            options={"verbose_name": "paper", "verbose_name_plural": "papers"},
        ),
        migrations.AlterModelOptions(
            name="workconflict",
            options={
                "verbose_name": "suspected double",
                "verbose_name_plural": "suspected doubles",
            },
        ),
    ]
