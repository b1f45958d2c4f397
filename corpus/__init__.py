"""Records: corpora, documents, passages, vectors, graph rows, jobs."""
