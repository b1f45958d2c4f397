"""Questions through a whole run: models, streams, sockets."""
