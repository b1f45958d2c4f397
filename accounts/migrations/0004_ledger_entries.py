from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    """Two of them are no entrys."""

    dependencies = [
        ("accounts", "0003_drops_quotes"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="ledgerentry",
            options={"verbose_name_plural": "ledger entries"},
        ),
    ]
