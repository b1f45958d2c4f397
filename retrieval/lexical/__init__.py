"""The lexical side: one tantivy index per corpus, fed from the change log."""
