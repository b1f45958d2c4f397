"""Runs and answers in the admin."""
