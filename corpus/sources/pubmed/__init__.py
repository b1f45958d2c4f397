"""PubMed: records of journal articles and book chapters, as efetch gives them."""
