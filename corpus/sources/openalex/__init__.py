"""OpenAlex: works, one or a page of them, in every schema since concepts."""
