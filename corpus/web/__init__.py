"""Library and document pages."""
