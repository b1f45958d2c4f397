"""Measuring search with questions whose answers are known."""
