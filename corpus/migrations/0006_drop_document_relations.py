from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0005_move_relations"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="document",
            name="relations",
        ),
    ]
