from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Panels name the figure that they are part of."""

    dependencies = [("corpus", "0019_chunker")]

    operations = [
        migrations.AddField(
            model_name="figure",
            name="parent",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="panels",
                to="corpus.figure",
            ),
        ),
    ]
