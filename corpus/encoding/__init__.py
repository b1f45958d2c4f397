"""Encoders: text in, unit vectors out, behind one protocol and one registry."""
