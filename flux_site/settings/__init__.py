"""Every setting, read and checked once."""
