from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Tables keep the spans and the boxes of their cells; those read before have none."""

    dependencies = [("corpus", "0024_feeds")]

    operations = [
        migrations.AddField(model_name="table", name="spans", field=models.JSONField(default=list)),
        migrations.AddField(model_name="table", name="cells", field=models.JSONField(default=list)),
    ]
