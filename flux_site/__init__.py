"""Wiring: settings, URLs, processes. The kernel beneath it is shared by all apps."""
