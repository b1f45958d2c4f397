"""JSONL: one record a line, as other tools export them."""
