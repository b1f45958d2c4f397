"""All saved records of every source stored, and counted: `bin/bench counts [SHARED_DATA]`

The counts are read by SQL from the stored rows and set beside those of the files' own lists
(SOURCES.md), typed in here. Nothing of the product is imported. Vectors are not what is looked at,
so they are those of the hashing encoder, which take no time.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from benchmarks.digest import connect
from benchmarks.installation import ADMIN, ROOT, Installation, installation, table

FOLDERS = {
    "kegg": "kegg",
    "openalex": "openalex",
    "wikipathways": "wikipathways",
    "interactions": "interactions",
    "perturbations": "perturbations",
    "labels": "labels",
    "compounds": "compounds",
    "vocabularies": "vocab",
    "pubmed": "pubmed",
    "jats": "jats",
    "reactome": "reactome",
}
OF = "(SELECT id FROM corpus_document WHERE external_id LIKE '{}%')"
ROWS = "SELECT count(*) FROM corpus_relationdraft WHERE document_id IN " + OF
RECORDS = "SELECT coalesce(sum(records), 0) FROM corpus_document WHERE external_id LIKE '{}%'"
SIGNATURES = "SELECT count(*) FROM corpus_signature WHERE document_id IN " + OF
VALUES = (
    "SELECT coalesce(sum(cardinality(genes)), 0) FROM corpus_signature WHERE document_id IN " + OF
)
TERMS = "SELECT count(*) FROM corpus_term WHERE document_id IN " + OF
DOCUMENTS = "SELECT count(*) FROM corpus_document WHERE source = '{}'"
NAMED = "SELECT count(*) FROM corpus_document WHERE external_id LIKE '{}%'"
READ = (
    "SELECT count(*) FROM corpus_jobitem i JOIN corpus_ingestjob j ON j.id = i.job_id "
    "WHERE j.source = '{}' AND i.document_id IS NOT NULL"
)
OF_FILE = (
    "SELECT count(*) FROM corpus_jobitem i JOIN corpus_jobfile f ON f.id = i.file_id "
    "WHERE f.name LIKE '{}%' AND i.document_id IS NOT NULL"
)
EXPECTED: tuple[tuple[str, str, str, int], ...] = (
    ("TRRUST rows", ROWS, "trrust_rawdata", 9_396),
    ("CollecTRI rows", ROWS, "collectri", 43_178),
    ("OmniPath sites", ROWS, "omnipath_signed_ptm", 30_816),
    ("OmniPath directed", ROWS, "omnipath_signed_directed", 19_807),
    ("OmniPath ligands and receptors", ROWS, "liana_omnipath", 9_832),
    ("DoRothEA with PMIDs", ROWS, "dorothea_curated", 5_695),
    ("DoRothEA A and B", ROWS, "dorothea_hs", 15_252),
    ("MAGeCK RRA genes", VALUES, "rra.gene_summary", 19_326),
    ("MAGeCK guides", VALUES, "rra.sgrna_summary", 794),
    ("MAGeCK MLE rows", RECORDS, "mle.gene_summary", 5_000),
    ("ATF3 knock-out rows", RECORDS, "koATF3", 5_000),
    ("TAZ knock-down rows", RECORDS, "siTAZ", 5_000),
    ("OCT4 knock-out rows", RECORDS, "cas9OCT4", 5_000),
    ("CytoSig cytokines", SIGNATURES, "signature.centroid", 43),
    ("CytoSig genes", RECORDS, "signature.centroid", 2_404),
    ("LINCS responses", VALUES, "dysreg-overexpression.tsv", 40_642),
    ("HGNC entries", RECORDS, "hgnc_entries", 20_794),
    ("MeSH descriptors", TERMS, "mesh_descriptors", 9_453),
    ("DOID terms", TERMS, "doid_subset", 5_000),
    ("MONDO terms", TERMS, "mondo_subset", 2_500),
    ("ChEBI terms", TERMS, "chebi_subset", 7_146),
    ("DrugBank names", RECORDS, "drugbank_open", 3_999),
    ("UniProt entries", RECORDS, "uniprot_human", 8_000),
    ("FamPlex entities", TERMS, "entities.csv", 783),
    ("FamPlex relations", RECORDS, "relations.csv", 5_284),
    ("MRCONSO rows", RECORDS, "MRCONSO", 2_403),
    ("ChEMBL drugs", RECORDS, "chembl_approved", 2_628),
    ("LINCS molecules", RECORDS, "lincs_small", 625),
    ("drug roles", RECORDS, "chembl_to_chebi", 4_564),
    (
        "WikiPathways sets",
        NAMED,
        "gmt:",
        746,
    ),
    (
        "GPML pathways",
        "SELECT count(*) FROM corpus_document "
        "WHERE source = 'wikipathways' AND external_id ~ '^{}[0-9]+$'",
        "WP",
        43,
    ),
    ("KEGG compound sets", RECORDS, "sets:KEGG_human_pathways_compounds", 344),
    ("KEGG reaction lines", RECORDS, "reactions:map00950", 56),
    ("KEGG maps", NAMED, "kgml:", 8),
    ("drug labels", DOCUMENTS, "labels", 113),
    ("Reactome pathways", OF_FILE, "pathway_summations", 2_516),
    ("PubMed records", READ, "pubmed", 48),
    ("JATS articles", DOCUMENTS, "jats", 13),
    ("OpenAlex works", DOCUMENTS, "openalex", 15),
)


def read_all(made: Installation, data: Path) -> list[tuple[object, ...]]:
    """Each source into a corpus of its own, until its files are read; what came of them."""
    jobs: dict[str, str] = {}
    for source, folder in FOLDERS.items():
        made.flux("create_corpus", source, "--team", "demo", "--visibility", "team")
        jobs[source] = made.flux(
            *("ingest", source, "--corpus", source, "--from", str(data / folder), "--no-wait"),
            *("--as", ADMIN),
        )["job"]
    rows: list[tuple[object, ...]] = []
    client = made.api("read,ingest")
    for source, job in jobs.items():
        while (state := client.get(f"/api/v1/jobs/{job}").raise_for_status().json())["files_left"]:
            time.sleep(1)
        stored = state["done"] + state["running"]
        rows.append((source, stored, state["unchanged"], state["skipped"], state["failed"]))
        for item in state["items"]:
            if item["state"] == "failed":
                print(f"  failed, {source}: {item['file']}: {item['reason']}")
    return rows


def main() -> None:
    """Read, count, compare."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    os.environ["DEFAULT_ENCODER"] = "hashing"
    with installation() as made:
        table(["source", "stored", "same again", "skipped", "failed"], read_all(made, data))
        print()
        rows: list[tuple[object, ...]] = []
        with connect(made) as database:
            for name, sql, what, expected in EXPECTED:
                found = database.execute(sql.format(what)).fetchone()
                count = int(found[0]) if found else -1
                rows.append(
                    (name, f"{count:,}", f"{expected:,}", "" if count == expected else "NO")
                )
        table(["what", "stored", "SOURCES.md", ""], rows)
        print(f"\n{sum(1 for row in rows if row[3])} of {len(rows)} differ")


if __name__ == "__main__":
    main()
