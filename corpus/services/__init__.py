"""Verbs that write: uploads, ingestion, embedding, jobs, deletion."""
