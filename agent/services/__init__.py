"""Verbs of this app: ask, read, stop."""
