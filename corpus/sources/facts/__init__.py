"""Facts: what is known about genes as drug targets."""
