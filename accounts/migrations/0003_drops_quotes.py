from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """A team says whether quotes go with the document that they are of."""

    dependencies = [
        ("accounts", "0002_append_only"),
    ]

    operations = [
        migrations.AddField(
            model_name="team",
            name="drops_quotes",
            field=models.BooleanField(
                db_default=False, default=False, verbose_name="drop quotes on deletion"
            ),
        ),
    ]
