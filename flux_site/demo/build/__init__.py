"""Scripts that make the committed files of the demo corpus from public facts and our own text."""
