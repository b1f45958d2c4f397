"""Tests, wide to narrow: unit, db, flows, pages."""
