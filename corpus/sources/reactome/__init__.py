"""Reactome: pathways and reactions, from the Content Service or from saved pathway records."""
