"""Labels: what the package inserts of drugs say, section by section."""
