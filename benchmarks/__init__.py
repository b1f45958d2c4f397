"""Measurements. Each script is run by `bin/bench NAME` and prints its table; RESULTS.md keeps the last ones."""
