"""JATS and NLM XML: full texts as publishers and PubMed Central give them."""
