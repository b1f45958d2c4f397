"""KEGG: flat entries of every kind, KGML pathway maps, and the tables of its REST answers."""
