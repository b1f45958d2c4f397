"""Names in text and what they stand for: pure, its terms are passed in."""
