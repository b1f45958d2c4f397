"""KEGG: pathways, compounds, genes and diseases as flat entries, and pathway maps as KGML."""
