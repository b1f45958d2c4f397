"""The databases of WikiPathways' Xref as CURIE prefixes."""

from __future__ import annotations

import re
from typing import Final

_PREFIXES: Final = {
    "ensembl": "ensembl", "entrez gene": "ncbigene", "ncbi gene": "ncbigene",
    "hgnc accession number": "hgnc", "uniprot": "uniprot", "uniprot-trembl": "uniprot",
    "uniprot/trembl": "uniprot", "uniprotkb": "uniprot", "swissprot": "uniprot",
    "chebi": "chebi", "hmdb": "hmdb", "cas": "cas", "kegg compound": "kegg.compound",
    "kegg drug": "kegg.drug", "kegg glycan": "kegg.glycan", "kegg reaction": "kegg.reaction",
    "kegg pathway": "kegg.pathway", "kegg orthology": "kegg.orthology", "kegg genes": "kegg.genes",
    "pubchem-compound": "pubchem.compound", "pubchem compound": "pubchem.compound",
    "pubchem-substance": "pubchem.substance", "chemspider": "chemspider", "wikidata": "wikidata",
    "lipid maps": "lipidmaps", "lipidmaps": "lipidmaps", "swisslipids": "slm",
    "wikipathways": "wikipathways", "reactome": "reactome", "complex portal": "complexportal",
    "enzyme nomenclature": "ec", "ec number": "ec", "refseq": "refseq",
    "ncbi protein": "ncbiprotein", "pfam": "pfam", "interpro": "interpro", "rfam": "rfam",
    "mirbase": "mirbase", "mirbase sequence": "mirbase",
    "mirbase mature sequence": "mirbase.mature", "drugbank": "drugbank",
    "chembl compound": "chembl.compound", "gene ontology": "go", "go": "go", "omim": "omim",
    "mesh": "mesh", "rhea": "rhea", "inchikey": "inchikey", "pdb": "pdb", "ncbi taxonomy":
    "ncbitaxon", "mgi": "mgi", "rgd": "rgd", "sgd": "sgd", "flybase": "flybase",
    "wormbase": "wormbase", "zfin": "zfin", "disease ontology": "doid", "cell ontology": "cl",
}  # fmt: skip
_KINDS: Final = {
    "GeneProduct": "gene", "Protein": "protein", "Rna": "rna", "RNA": "rna", "DNA": "dna",
    "Metabolite": "compound", "Pathway": "pathway", "Complex": "complex", "Disease": "disease",
    "Phenotype": "phenotype", "Event": "event", "Alias": "alias",
}  # fmt: skip


def curie(database: str, identifier: str) -> str:
    """The CURIE of an Xref; '' when either half is missing."""
    local = identifier.strip()
    name = database.strip().lower()
    if not (local and name):
        return ""
    if name in ("hgnc", "hgnc symbol"):
        digits = local.removeprefix("HGNC:")
        return f"hgnc:{digits}" if digits.isdigit() else f"hgnc.symbol:{local}"
    prefix = _PREFIXES.get(name) or re.sub(r"[^a-z0-9]+", "", name)
    local = re.sub(rf"^{re.escape(prefix)}:", "", local, flags=re.IGNORECASE)
    if prefix == "hmdb" and (old := re.fullmatch(r"HMDB(\d{5})", local)):
        local = f"HMDB00{old[1]}"  # five digits until 2017, seven since
    return f"{prefix}:{local}"


def kind(node_type: str) -> str:
    """What a DataNode's type is called in relations."""
    return _KINDS.get(node_type, "entity")
