"""PDF: text in reading order, figures and tables, each with its place on the page."""
