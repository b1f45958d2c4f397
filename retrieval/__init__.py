"""Reading: search over what a reader may see, and its evaluation."""
