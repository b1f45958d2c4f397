import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """What curators say of names, and which records of a file are to be read again."""

    dependencies = [
        ("corpus", "0015_propositions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AliasRuling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("curie", models.CharField(max_length=120)),
                ("alias", models.TextField()),
                ("key", models.CharField(max_length=255)),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("off", "Never matched"),
                            ("ambiguous", "Matched only in context"),
                        ],
                        max_length=9,
                    ),
                ),
                ("at", models.DateTimeField(auto_now=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="alias_rulings",
                        to="corpus.corpus",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("corpus", "curie", "key"), name="alias_ruling_identity"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="jobfile",
            name="only",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=255), null=True, size=None
            ),
        ),
    ]
