"""One protocol for language models; providers by name."""
