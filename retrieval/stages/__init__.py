"""Stages: small frozen objects, each turns a search's state into the next."""
