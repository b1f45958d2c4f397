"""Plain text and Markdown, as people keep their notes and protocols."""
