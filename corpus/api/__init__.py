"""Documents, passages, images and jobs over HTTP."""
