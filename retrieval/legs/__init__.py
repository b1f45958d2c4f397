"""Legs: each finds passages in one way, inside the corpora it is given."""
