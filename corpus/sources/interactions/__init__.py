"""Interactions: tables of who regulates whom, signed where the table says so."""
