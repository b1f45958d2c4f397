"""Answers as data: their schema, the checks they must pass, and the answer made without a model."""
