"""Outside ids of vocabularies as CURIEs: one prefix for each of their spellings."""

from __future__ import annotations

import re
from typing import Final

# Spelling of a name space, upper case, without its date -> prefix. Others are put in lower case.
_PREFIXES: Final = {
    "BEL": "bel",
    "CHEMBL": "chembl.compound",
    "CL": "cl",
    "ECCODE": "ec-code",
    "ENTREZ": "ncbigene",
    "FPLX": "fplx",
    "GO": "go",
    "HGNC_GROUP": "hgnc.genegroup",
    "HMDB": "hmdb",
    "HMS-LINCS": "hms.lincs.compound",
    "ICD10": "icd10",
    "ICD10CM": "icd10cm",
    "ICD9": "icd9cm",
    "ICD9CM": "icd9cm",
    "IP": "interpro",
    "MEDDRA": "meddra",
    "MESH": "mesh",
    "MIM": "omim",
    "MIRBASE": "mirbase",
    "MIRBASE_FAMILY": "mirbase.family",
    "MSH": "mesh",
    "NCBITAXON": "ncbitaxon",
    "NCBIGENE": "ncbigene",
    "NCI": "ncit",
    "NXP": "nextprot.family",
    "ORDO": "orphanet",
    "ORPHANET": "orphanet",
    "PF": "pfam",
    "PUBCHEM": "pubchem.compound",
    "RE": "reactome",
    "SCTID": "snomedct",
    "SNOMEDCT_US": "snomedct",
    "UMLS_CUI": "umls",
    "UP": "uniprot",
    "UPISO": "uniprot.isoform",
    "UNIPROT": "uniprot",
}
_DATED = re.compile(r"(_\d{4}){1}_\d\d_\d\d$")


def curie(namespace: str, local: str) -> str:
    """CURIE of an id in a name space as files spell it; a prefix that the id repeats is dropped.

    "SNOMEDCT_US_2023_03_01", "64572001" gives snomedct:64572001; "CHEBI", "CHEBI:2365" gives
    chebi:2365. '' without an id.
    """
    name = _DATED.sub("", namespace.strip()).upper()
    plain = local.strip()
    head, colon, rest = plain.partition(":")
    if colon and head.upper() == name:
        plain = rest
    return f"{_PREFIXES.get(name, name.lower())}:{plain}" if plain and name else ""


def from_pair(text: str) -> str:
    """CURIE of an id that carries its name space: "DOID:4" gives doid:4; '' without a colon."""
    namespace, colon, local = text.strip().partition(":")
    return curie(namespace, local) if colon else ""
