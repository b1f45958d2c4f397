"""Web pages saved as HTML: the article in them, without what stands around it or hides in it."""
