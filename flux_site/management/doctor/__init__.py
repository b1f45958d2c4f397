"""What bin/flux doctor looks at: the parts of an installation, and what points nowhere."""
