"""Streams of runs: replay what is stored, then follow."""
