"""An event is written once: streams and replays may rely on it."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("agent", "0001_initial"), ("accounts", "0002_append_only")]
    operations = [
        migrations.RunSQL(
            # Deleting goes with its run; changing never.
            "CREATE TRIGGER agent_runevent_immutable BEFORE UPDATE ON agent_runevent "
            "FOR EACH ROW EXECUTE FUNCTION flux_append_only();",
            "DROP TRIGGER agent_runevent_immutable ON agent_runevent;",
        )
    ]
