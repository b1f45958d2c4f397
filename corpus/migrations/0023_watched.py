from __future__ import annotations

from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import SET_NULL


class Migration(migrations.Migration):
    """What is watched need not be a folder."""

    dependencies = [
        ("corpus", "0022_figure_words"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RenameModel(old_name="WatchedFolder", new_name="Watched"),
        migrations.AlterField(
            model_name="watched",
            name="user",
            field=models.ForeignKey(
                null=True,
                on_delete=SET_NULL,
                related_name="watched",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
