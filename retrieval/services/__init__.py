"""The doors through which other apps search."""
