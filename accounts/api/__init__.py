"""How API callers are known, what they may do, how often."""
