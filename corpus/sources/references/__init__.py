"""Reference lists: BibTeX, RIS, CSL-JSON, MEDLINE and EndNote tags, lists of ids."""
