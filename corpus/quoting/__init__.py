"""What stands in a passage: whether a quote does, and the quantities that it states. Pure."""
