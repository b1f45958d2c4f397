"""An installation under observation: its processes tell which stage of ingestion they are in.

Start bin/up with DJANGO_SETTINGS_MODULE=benchmarks.faults.settings.
"""
