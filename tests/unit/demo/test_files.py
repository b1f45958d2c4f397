"""The committed demo corpus: small, complete, true to its facts, and our own words."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from corpus.sources.jsonl import parser
from flux_site import demo

SHARED = Path(__file__).parents[4] / "shared" / "data"
MOST_BYTES = 3_000_000
RUN = 8  # so many words in a row are no coincidence

Line = dict[str, Any]


@pytest.fixture(scope="module")
def content() -> dict[str, bytes]:
    return {name: data for _, name, data in demo.files()}


@pytest.fixture(scope="module")
def lines(content: dict[str, bytes]) -> dict[str, list[Line]]:
    names = (name for name in content if name.endswith(".jsonl"))
    return {
        name: [json.loads(line) for line in content[name].decode().splitlines()] for name in names
    }


@pytest.fixture(scope="module")
def papers(content: dict[str, bytes]) -> dict[str, pymupdf.Document]:
    return {
        name: pymupdf.open("pdf", data) for name, data in content.items() if name.endswith(".pdf")
    }


def texts(line: Line) -> list[str]:
    return [line["text"]] if "text" in line else [part["text"] for part in line["sections"]]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def runs(text: str) -> Iterator[tuple[str, ...]]:
    found = words(text)
    return (tuple(found[start : start + RUN]) for start in range(len(found) - RUN + 1))


def test_the_data_stay_within_three_megabytes():
    sizes = {path.name: path.stat().st_size for path in demo.DATA.iterdir()}

    assert 0 < sum(sizes.values()) <= MOST_BYTES, sizes


def test_there_are_as_many_documents_as_promised(lines, papers):
    counts = {name: len(found) for name, found in lines.items()}

    assert 1_400 <= counts["pathways.jsonl"] <= 1_600
    assert counts["curated.jsonl"] == 30
    assert counts["interactions.jsonl"] >= 900
    assert len(papers) == 2


def test_every_line_has_an_id_of_its_own_a_title_and_text(lines):
    found = [line for file in lines.values() for line in file]

    assert len({line["id"] for line in found}) == len(found)
    assert all(line["title"].strip() == line["title"] != "" for line in found)
    assert all(text.strip() for line in found for text in texts(line))
    assert all("demo" in line["tags"] for line in found)


def test_the_jsonl_source_reads_every_line(content):
    for name in ("curated.jsonl", "interactions.jsonl", "pathways.jsonl"):
        found = list(parser.parse(content[name], name))
        assert len(found) == content[name].count(b"\n")
        assert all(isinstance(record, parser.JsonlRecord) for record in found)


def test_loading_twice_gives_the_same_bytes():
    assert demo.files() == demo.files()


def test_every_pathway_names_participants_and_counts_all_of_them():
    for row in demo.facts("pathways"):
        assert row["genes"], row["id"]
        assert row["gene_count"] >= len(row["genes"]), row["id"]


def test_parents_and_children_agree_with_each_other():
    rows = {row["id"]: row for row in demo.facts("pathways")}
    whole = {
        key: row
        for key, row in rows.items()
        if row.get("child_count") == len(row.get("children", ())) > 0
    }
    assert len(whole) > 100
    for row in rows.values():
        for parent, _ in row.get("parents", []):
            if parent in whole:
                assert [row["id"], row["name"]] in whole[parent]["children"]


def test_every_curated_identifier_is_in_the_facts():
    genes = {row["symbol"]: row for row in demo.facts("genes")}
    pathways = {row["id"]: row["name"] for row in demo.facts("pathways")}
    interactions = demo.facts("interactions")
    for record in demo.facts("curated"):
        assert set(record["genes"]) <= set(genes), record["id"]
        assert all(genes[symbol]["hgnc"].startswith("HGNC:") for symbol in record["genes"])
        assert all(pathways[key] == name for key, name in record["pathways"]), record["id"]
        assert all(relation in interactions for relation in record["relations"]), record["id"]


def test_curated_records_are_short_texts_in_sections():
    for record in demo.facts("curated"):
        count = sum(len(section["text"].split()) for section in record["sections"])
        assert len(record["sections"]) >= 3, record["id"]
        assert 120 <= count <= 250, (record["id"], count)


def test_each_paper_has_pages_a_mark_a_figure_and_a_table(papers):
    for name, paper in papers.items():
        text = "\n".join(page.get_text() for page in paper)
        assert 3 <= paper.page_count <= 5, name
        assert "Demo material" in paper[0].get_text(), name
        assert re.search(r"^Figure 1\. ", text, re.MULTILINE), name
        assert re.search(r"^Table 1\. ", text, re.MULTILINE), name


def test_one_figure_is_an_image_and_the_other_is_drawn(papers):
    images = {
        name: [(image[2], image[3]) for page in paper for image in page.get_images()]
        for name, paper in papers.items()
    }

    [(width, height)] = images["jak-stat-guide.pdf"]
    assert width >= 300
    assert height >= 200
    assert images["nf-kb-switch.pdf"] == []
    assert len(papers["nf-kb-switch.pdf"][1].get_drawings()) > 10


def test_the_tables_are_ruled_so_that_their_cells_can_be_read(papers):
    for name, cell in (("jak-stat-guide.pdf", "IL23R, IL12RB1"), ("nf-kb-switch.pdf", "RelB-p52")):
        tables = papers[name][2].find_tables(strategy="lines").tables
        assert len(tables) == 1, name
        assert any(cell in row for row in tables[0].extract()), name


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip(f"the shared data are not at {SHARED}")
    return SHARED


@pytest.mark.slow
@pytest.mark.shared_data
def test_a_rebuild_gives_the_committed_bytes(shared: Path, tmp_path: Path):
    from flux_site.demo.build.__main__ import build

    report = list(build(shared, tmp_path))

    assert report[-1].startswith("total")
    rebuilt = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert rebuilt == {path.name: path.read_bytes() for path in demo.DATA.iterdir()}


@pytest.mark.shared_data
def test_genes_and_compounds_are_those_of_the_vocabularies(shared: Path):
    packed = (shared / "vocab" / "hgnc_entries_subset.tsv.gz").read_bytes()
    approved = {
        (row[0], row[1]): set(row[6].split(", "))
        for row in (line.split("\t") for line in gzip.decompress(packed).decode().splitlines())
    }
    for gene in demo.facts("genes"):
        assert set(gene["uniprot"]) <= approved[gene["hgnc"], gene["symbol"]]
    chebi = gzip.decompress((shared / "vocab" / "chebi_subset.json.gz").read_bytes()).decode()
    named = {term["id"]: term["name"] for term in json.loads(chebi)}
    pairs = [pair for record in demo.facts("curated") for pair in record["chemicals"]]
    assert pairs
    assert all(named[key] == name for key, name in pairs if key.startswith("CHEBI:"))


@pytest.mark.shared_data
def test_every_paper_of_a_relation_is_named_for_it_in_trrust(shared: Path):
    packed = (shared / "interactions" / "trrust_rawdata.human.tsv.gz").read_bytes()
    rows = [line.split("\t") for line in gzip.decompress(packed).decode().splitlines()]
    cited = {(row[0], row[1], pmid) for row in rows for pmid in row[3].split(";")}
    relations = [row for record in demo.facts("curated") for row in record["relations"]]
    of_trrust = [row for row in relations if row["source"] == "trrust"]
    assert of_trrust
    for row in of_trrust:
        assert all((row["regulator"], row["target"], pmid) in cited for pmid in row["pmids"])


@pytest.mark.shared_data
def test_no_sentence_of_reactome_or_wikipathways_is_carried_over(shared: Path, lines, papers):
    ours = " . ".join(text for file in lines.values() for line in file for text in texts(line))
    known = set(runs(ours + " " + " ".join(page.get_text() for p in papers.values() for page in p)))
    taken = [
        sentence
        for text in foreign_texts(shared)
        for sentence in re.split(r"(?<=[.!?])\s+", text)
        if (found := list(runs(sentence))) and all(run in known for run in found)
    ]
    assert taken == []


@pytest.mark.shared_data
def test_our_own_prose_shares_no_run_of_words_with_them(shared: Path, papers):
    prose = [part["text"] for record in demo.facts("curated") for part in record["sections"]]
    prose += [page.get_text() for paper in papers.values() for page in paper]
    ours = {run for text in prose for run in runs(text)}

    shared_runs = {run for text in foreign_texts(shared) for run in runs(text)} & ours

    assert shared_runs == set()


def foreign_texts(shared: Path) -> Iterable[str]:
    """Summaries of Reactome and descriptions of WikiPathways, without markup."""
    packed = (shared / "reactome" / "pathway_summations_human_v76.jsonl.gz").read_bytes()
    with io.StringIO(gzip.decompress(packed).decode()) as stored:
        for line in stored:
            for part in json.loads(line)["summation"]:
                yield re.sub(r"<[^>]+>", " ", part["text"])
    for path in sorted((shared / "wikipathways" / "info").glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8")).get("description") or ""
