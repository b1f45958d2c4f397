"""The curators' desk over 100,000 documents. `bin/bench desk [DOCUMENTS]`

An installation of its own is filled by SQL with thin documents of 20 corpora (a passage, an
identity and a job's item each, every fiftieth retracted, every thousandth without text), and its
pages are asked over HTTP by a signed-in site admin: lists, searches, every filter, previews. Reach:
p95 at most 300 ms.
"""

from __future__ import annotations

import sys
from typing import Any

import httpx

from benchmarks.digest import connect
from benchmarks.installation import installation, milliseconds, p50_p95, table

DOCUMENTS = 100_000
CORPORA = 20
TIMES = 30
TERMS = 50_000

FILL = """
INSERT INTO corpus_corpus (public_id, team_id, slug, name, description, visibility, revision,
    external_models_allowed, is_demo, deleting, document_count, chunk_count, created_at)
SELECT gen_random_uuid(), (SELECT id FROM accounts_team WHERE slug = 'demo'), 'c' || n,
    'Corpus ' || n, '', 'team', 1, true, false, false, %(each)s, %(each)s, now()
FROM generate_series(1, %(corpora)s) n;
INSERT INTO corpus_work (public_id, scope, doi, pmid, pmcid, openalex, title_key,
    retracted, concern, corrected)
SELECT gen_random_uuid(), 'site', '10.1000/' || n, n::text, '', '', '', n %% 50 = 0, false,
    n %% 70 = 0 FROM generate_series(1, %(documents)s) n;
INSERT INTO corpus_document (public_id, corpus_id, source, external_id, work_id, type, title,
    identifiers, authors, journal, published, year, licence, language, retracted, concern,
    corrected, tags, metadata, records, note, content_sha256, pipeline, lexicon, file_sha256,
    file_position, created_at, updated_at)
SELECT gen_random_uuid(), c.id, (ARRAY['pubmed', 'pdf', 'jats', 'jsonl'])[1 + n %% 4],
    (30000000 + n)::text, w.id, 'article',
    (ARRAY['Kinase', 'Receptor', 'Cytokine', 'Phosphatase', 'Ligand'])[1 + n %% 5] || ' ' ||
    substr(md5(n::text), 1, 6) || ' controls ' || substr(md5((n / 7)::text), 1, 6) ||
    ' in human cells of the immune system',
    jsonb_build_object('doi', w.doi, 'pmid', w.pmid), ARRAY['Lee Ann', 'Roy Jo'], 'Journal', '2020',
    1990 + n %% 37, '', 'en', w.retracted, false, w.corrected, '{}', '{}', 1,
    CASE WHEN n %% 500 = 0 THEN 'Its language (fr) is none that the encoder reads: it is found by '
    'its words, hardly by its meaning.' ELSE '' END,
    md5(n::text), CASE WHEN n %% 300 = 0 THEN '1' ELSE %(pipeline)s END, 'x', md5(n::text), 0,
    now(), now()
FROM corpus_work w CROSS JOIN LATERAL (SELECT w.pmid::int AS n) one
JOIN corpus_corpus c ON c.slug = 'c' || (1 + n %% %(corpora)s);
INSERT INTO corpus_identity (document_id, scope, keys, kind, author, opening)
SELECT d.id, 'site', ARRAY['doi:' || w.doi, 'pmid:' || w.pmid], 'paper', '', '{}'
FROM corpus_document d JOIN corpus_work w ON w.id = d.work_id;
INSERT INTO corpus_chunk (public_id, document_id, corpus_id, content_type, chunk_index, text,
    text_sha256, section_path, char_start, char_end, lines, fields)
SELECT gen_random_uuid(), id, corpus_id, 'text', 0, title || ' ' || repeat('and others ', 20), '',
    '{}', 0, 100, '[]', '{}' FROM corpus_document WHERE id %% 1000 <> 0;
INSERT INTO corpus_ingestjob (public_id, corpus_id, source, state, priority, created_at)
SELECT gen_random_uuid(), c.id, 'pubmed',
    (ARRAY['done', 'running', 'paused', 'failed'])[1 + n %% 4], 0, now()
FROM corpus_corpus c CROSS JOIN generate_series(1, 10) n;
INSERT INTO corpus_jobfile (job_id, name, sha256, size, state, cursor, expected, token, attempts)
SELECT id, 'pubmed.xml', md5(id::text), 100, 'read', 0, 500, 0, 0 FROM corpus_ingestjob;
INSERT INTO corpus_jobitem (job_id, file_id, position, name, external_id, state, stage, code,
    reason, records, encoded, document_id, token, attempts, updated_at)
SELECT f.job_id, f.id, d.n, d.title, d.external_id,
    CASE WHEN d.n %% 100 = 0 THEN 'failed' ELSE 'done' END, 'end',
    CASE WHEN d.n %% 100 = 0 THEN 'format' ELSE '' END, 'It cannot be read.', 1, 1, d.id, 0, 1,
    now()
FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM corpus_document) d
JOIN (SELECT *, row_number() OVER (ORDER BY id) AS n FROM corpus_jobfile) f
    ON f.n = 1 + d.n %% (SELECT count(*) FROM corpus_jobfile);
INSERT INTO corpus_term (document_id, position, curie, label, kind, names, symbols, xrefs, parents,
    roles, taxon, withdrawn, replaced_by)
SELECT (SELECT min(id) FROM corpus_document), n, 'hgnc:' || n, 'Protein ' || md5(n::text), 'gene',
    ARRAY['alias ' || n, 'other name ' || n], ARRAY['SYM' || n], '{}', '{}', '{}', '', false, '{}'
FROM generate_series(1, %(terms)s) n;
INSERT INTO corpus_workconflict (one_id, two_id, reason)
SELECT id, id + 1, 'title' FROM corpus_work WHERE id %% 200 = 0
    AND id < (SELECT max(id) FROM corpus_work);
"""

DOCUMENT = "/admin/corpus/document/"
PAGES = {
    "first page": "/admin/",
    "documents": DOCUMENT,
    "documents, page 150": f"{DOCUMENT}?p=150",
    "search, common word": f"{DOCUMENT}?q=kinase",
    "search, rare beginnings": f"{DOCUMENT}?q=kinase+a1b",
    "search, DOI": f"{DOCUMENT}?q=10.1000/777",
    "search, id at the source": f"{DOCUMENT}?q=30000777",
    "search, nothing": f"{DOCUMENT}?q=zebrafish",
    "filter: corpus": f"{DOCUMENT}?corpus={{corpus}}",
    "filter: source": f"{DOCUMENT}?source=pdf",
    "filter: has text": f"{DOCUMENT}?state=text",
    "filter: no text": f"{DOCUMENT}?state=empty",
    "filter: older pipeline": f"{DOCUMENT}?state=due",
    "filter: being deleted": f"{DOCUMENT}?state=deleting",
    "filter: any notice": f"{DOCUMENT}?standing=any",
    "filter: retracted": f"{DOCUMENT}?standing=retracted",
    "filter: language": f"{DOCUMENT}?note=language",
    "filter: year": f"{DOCUMENT}?year=2024",
    "filters: corpus, source, retracted, word": (
        f"{DOCUMENT}?corpus={{corpus}}&source=pdf&standing=retracted&q=receptor"
    ),
    "preview of a document": f"{DOCUMENT}{{document}}/change/",
    "consequences of a deletion": f"{DOCUMENT}remove/?pk={{document}}",
    "jobs": "/admin/corpus/ingestjob/",
    "a job": "/admin/corpus/ingestjob/{job}/change/",
    "failed items": "/admin/corpus/jobitem/?state__exact=failed",
    "papers with a notice": "/admin/corpus/work/",
    "suspected doubles": "/admin/corpus/workconflict/",
    "corpora": "/admin/corpus/corpus/",
    "sources and quotas": "/admin/corpus/corpus/sources/",
    "entities, by word": "/admin/corpus/term/?q=protein",
    "entities, by alias": "/admin/corpus/term/?q=SYM777",
}


def fill(made: Any, documents: int) -> dict[str, str]:
    """The rows, and ids to ask for."""
    from corpus.services.fingerprint import PIPELINE

    values = {
        "documents": documents,
        "corpora": CORPORA,
        "each": documents // CORPORA,
        "pipeline": PIPELINE,
        "terms": TERMS,
    }
    with connect(made) as database:
        for statement in FILL.split(";\n"):
            if statement.strip():
                database.execute(statement, values)
        database.execute("VACUUM ANALYZE")
        asked = {
            "corpus": "SELECT public_id FROM corpus_corpus WHERE slug = 'c7'",
            "document": "SELECT id FROM corpus_document WHERE external_id = '30000777'",
            "job": "SELECT max(id) FROM corpus_ingestjob",
        }
        return {name: str(database.execute(sql).fetchone()[0]) for name, sql in asked.items()}


def times_of(client: httpx.Client, address: str) -> str:
    """p50 / p95 of a page, as the client waits for it."""
    return p50_p95(milliseconds(lambda: client.get(address).raise_for_status(), times=TIMES))


def main() -> None:
    """Fill, then ask every page."""
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS
    with installation() as made:
        names = fill(made, documents)
        client = made.browser()
        rows = [(name, times_of(client, path.format(**names))) for name, path in PAGES.items()]
    table([f"the desk over {documents:,} documents", "p50 / p95 ms"], rows)


if __name__ == "__main__":
    main()
