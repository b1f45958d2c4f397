"""Questions, runs and streams over HTTP."""
