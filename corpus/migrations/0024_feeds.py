from __future__ import annotations

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Queries of live sources are watched beside folders."""

    dependencies = [
        ("corpus", "0023_watched"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="watched",
            options={
                "ordering": ["corpus", "path", "source", "query"],
                "verbose_name": "watched folder or query",
                "verbose_name_plural": "watched folders and queries",
            },
        ),
        migrations.RemoveConstraint(
            model_name="watched",
            name="watched_folder_identity",
        ),
        migrations.AddField(
            model_name="ingestjob",
            name="feed",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="jobs",
                to="corpus.watched",
            ),
        ),
        migrations.AddField(
            model_name="watched",
            name="limit",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="watched",
            name="query",
            field=models.CharField(blank=True, max_length=1000),
        ),
        migrations.AddField(
            model_name="watched",
            name="since",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="watched",
            name="path",
            field=models.CharField(blank=True, max_length=1000),
        ),
        migrations.AddConstraint(
            model_name="watched",
            constraint=models.UniqueConstraint(
                condition=models.Q(("path", ""), _negated=True),
                fields=("corpus", "path"),
                name="watched_folder_identity",
            ),
        ),
        migrations.AddConstraint(
            model_name="watched",
            constraint=models.UniqueConstraint(
                models.F("corpus"),
                models.F("source"),
                django.db.models.functions.text.MD5("query"),
                condition=models.Q(("query", ""), _negated=True),
                name="feed_identity",
            ),
        ),
        migrations.AddConstraint(
            model_name="watched",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("path", ""), ("query__gt", ""), ("source__gt", "")),
                    models.Q(("path__gt", ""), ("query", "")),
                    _connector="OR",
                ),
                name="watched_folder_or_feed",
            ),
        ),
    ]
