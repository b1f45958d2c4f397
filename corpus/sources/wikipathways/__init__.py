"""WikiPathways: pathways drawn by their community, as GPML."""
