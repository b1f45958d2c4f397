"""Hidden things do not exist: every read path answers a reader as if they were not there."""
