"""Deciding: questions, runs, answers."""
