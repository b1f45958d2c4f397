"""Pages of one's own account."""
