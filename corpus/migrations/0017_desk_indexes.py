"""Indexes of the curators' desk, built without holding up writers."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.contrib.postgres.search import SearchVector
from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Left

STANDING = Q(retracted=True) | Q(concern=True) | Q(corrected=True)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("corpus", "0016_alias_ruling")]

    operations = [
        AddIndexConcurrently(
            "document",
            GinIndex(
                SearchVector(Left("title", 1000), config="simple"), name="document_title_words"
            ),
        ),
        AddIndexConcurrently(
            "document",
            models.Index(
                fields=["external_id"], name="document_external", opclasses=["varchar_pattern_ops"]
            ),
        ),
        AddIndexConcurrently(
            "document", models.Index(fields=["-id"], condition=STANDING, name="document_standing")
        ),
        AddIndexConcurrently(
            "jobitem",
            models.Index(fields=["-id"], condition=Q(state="failed"), name="job_item_failed"),
        ),
        AddIndexConcurrently(
            "term",
            GinIndex(SearchVector(Left("label", 1000), config="simple"), name="term_label_words"),
        ),
        AddIndexConcurrently(
            "work", models.Index(fields=["-id"], condition=STANDING, name="work_standing")
        ),
    ]
