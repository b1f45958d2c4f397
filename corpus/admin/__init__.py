"""The curators' desk."""
