"""The one list of sources."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from corpus.sources.base import Source, count_of
from corpus.sources.compounds import normalizer as _compounds_normalizer
from corpus.sources.compounds import parser as _compounds_parser
from corpus.sources.facts import normalizer as _facts_normalizer
from corpus.sources.facts import parser as _facts_parser
from corpus.sources.html import normalizer as _html_normalizer
from corpus.sources.html import parser as _html_parser
from corpus.sources.interactions import normalizer as _interactions_normalizer
from corpus.sources.interactions import parser as _interactions_parser
from corpus.sources.jats import normalizer as _jats_normalizer
from corpus.sources.jats import parser as _jats_parser
from corpus.sources.jsonl import normalizer as _jsonl_normalizer
from corpus.sources.jsonl import parser as _jsonl_parser
from corpus.sources.kegg import normalizer as _kegg_normalizer
from corpus.sources.kegg import parser as _kegg_parser
from corpus.sources.labels import normalizer as _labels_normalizer
from corpus.sources.labels import parser as _labels_parser
from corpus.sources.office import normalizer as _office_normalizer
from corpus.sources.office import parser as _office_parser
from corpus.sources.openalex import normalizer as _openalex_normalizer
from corpus.sources.openalex import parser as _openalex_parser
from corpus.sources.pdf import normalizer as _pdf_normalizer
from corpus.sources.pdf import parser as _pdf_parser
from corpus.sources.perturbations import normalizer as _perturbations_normalizer
from corpus.sources.perturbations import parser as _perturbations_parser
from corpus.sources.pubmed import normalizer as _pubmed_normalizer
from corpus.sources.pubmed import parser as _pubmed_parser
from corpus.sources.reactome import normalizer as _reactome_normalizer
from corpus.sources.reactome import parser as _reactome_parser
from corpus.sources.references import normalizer as _references_normalizer
from corpus.sources.references import parser as _references_parser
from corpus.sources.text import normalizer as _text_normalizer
from corpus.sources.text import parser as _text_parser
from corpus.sources.vocabularies import normalizer as _vocabularies_normalizer
from corpus.sources.vocabularies import parser as _vocabularies_parser
from corpus.sources.wikipathways import normalizer as _wikipathways_normalizer
from corpus.sources.wikipathways import parser as _wikipathways_parser

_ALL = (
    Source(
        name="pubmed",
        label="PubMed",
        parse=_pubmed_parser.parse,
        normalize=_pubmed_normalizer.normalize,
        suffixes=(".xml",),
        count=count_of(b"<PubmedArticle>", b"<PubmedBookArticle>"),
    ),
    Source(
        name="jats",
        label="Full text (JATS XML)",
        parse=_jats_parser.parse,
        normalize=_jats_normalizer.normalize,
        suffixes=(".xml", ".nxml"),
    ),
    Source(
        name="pdf",
        label="PDF",
        parse=_pdf_parser.parse,
        normalize=_pdf_normalizer.normalize,
        suffixes=(".pdf",),
        isolated=True,
    ),
    Source(
        name="reactome",
        label="Reactome",
        parse=_reactome_parser.parse,
        normalize=_reactome_normalizer.normalize,
        suffixes=(".json", ".jsonl"),
        count=count_of(b'"stId"'),
    ),
    Source(
        name="jsonl",
        label="JSONL records",
        parse=_jsonl_parser.parse,
        normalize=_jsonl_normalizer.normalize,
        suffixes=(".jsonl", ".ndjson"),
        count=count_of(b"\n"),
    ),
    Source(
        name="kegg",
        label="KEGG",
        parse=_kegg_parser.parse,
        normalize=_kegg_normalizer.normalize,
        suffixes=(
            ".txt",
            ".sample",
            ".irregular",
            ".new",
            ".4letter",
            ".keg",
            ".xml",
            ".kgml",
            ".tsv",
            ".csv",
            ".rea",
        ),
        bare=True,
    ),
    Source(
        name="openalex",
        label="OpenAlex",
        parse=_openalex_parser.parse,
        normalize=_openalex_normalizer.normalize,
        suffixes=(".json", ".jsonl"),
    ),
    Source(
        name="wikipathways",
        label="WikiPathways",
        parse=_wikipathways_parser.parse,
        normalize=_wikipathways_normalizer.normalize,
        suffixes=(".gpml", ".xml", ".gmt", ".json", ".tsv"),
    ),
    Source(
        name="html",
        label="Web page",
        parse=_html_parser.parse,
        normalize=_html_normalizer.normalize,
        suffixes=(".html", ".htm", ".xhtml"),
    ),
    Source(
        name="office",
        label="Word document",
        parse=_office_parser.parse,
        normalize=_office_normalizer.normalize,
        suffixes=(".docx", ".docm", ".doc", ".pptx", ".xlsx"),
    ),
    Source(
        name="text",
        label="Text and Markdown",
        parse=_text_parser.parse,
        normalize=_text_normalizer.normalize,
        suffixes=(".txt", ".md", ".markdown", ".rst"),
    ),
    Source(
        name="references",
        label="Reference list",
        parse=_references_parser.parse,
        normalize=_references_normalizer.normalize,
        suffixes=(".bib", ".ris", ".json", ".nbib", ".enw", ".txt", ".csv", ".tsv", ".list"),
    ),
    Source(
        name="interactions",
        label="Interactions (tables)",
        parse=_interactions_parser.parse,
        normalize=_interactions_normalizer.normalize,
        suffixes=(".tsv", ".csv", ".txt", ".xlsx", ".json", ".jsonl"),
    ),
    Source(
        name="perturbations",
        label="Perturbations (tables)",
        parse=_perturbations_parser.parse,
        normalize=_perturbations_normalizer.normalize,
        suffixes=(".tsv", ".csv", ".txt", ".xlsx", ".json", ".jsonl", ".centroid"),
    ),
    Source(
        name="labels",
        label="Drug labels",
        parse=_labels_parser.parse,
        normalize=_labels_normalizer.normalize,
        suffixes=(".xml", ".json", ".jsonl", ".csv"),
    ),
    Source(
        name="compounds",
        label="Compounds",
        parse=_compounds_parser.parse,
        normalize=_compounds_normalizer.normalize,
        suffixes=(".tsv", ".csv", ".txt", ".xlsx", ".json", ".jsonl", ".xml"),
    ),
    Source(
        name="vocabularies",
        label="Vocabularies",
        parse=_vocabularies_parser.parse,
        normalize=_vocabularies_normalizer.normalize,
        suffixes=(".tsv", ".csv", ".txt", ".json", ".obo", ".rrf"),
    ),
    Source(
        name="facts",
        label="Target facts",
        parse=_facts_parser.parse,
        normalize=_facts_normalizer.normalize,
        suffixes=(".tsv", ".csv", ".txt", ".xlsx", ".json", ".jsonl"),
    ),
)

SOURCES: Mapping[str, Source] = MappingProxyType({source.name: source for source in _ALL})
