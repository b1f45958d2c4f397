"""Evaluations in the admin."""
