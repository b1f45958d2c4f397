"""Measurements: `bin/bench NAME` runs a script, which prints its table; RESULTS.md keeps them."""
