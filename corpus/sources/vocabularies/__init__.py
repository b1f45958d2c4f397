"""Vocabularies: entities with all their names and ids."""
