"""What is known of names beforehand: curated aliases, words that name nothing, organisms."""

from __future__ import annotations

from typing import Final

from corpus.lexicon.folding import fold_name
from corpus.lexicon.words import word_set
from corpus.types import Term

# Short aliases that biology writes without explanation.
CURATED: Final = word_set("""
    pd1 pdl1 pdl2 her2 her3 her4 p53 p21 p27 p16 p38 erk akt jnk cmet cmyc ckit cfos cjun
    csrc bcl2 bclxl myc ras raf mtor tnfα ifnγ vegf egf fgf igf ngf tgfβ nfκb nfkb ampk pkc
    pka pi3k cox1 cox2 mek stat3 smad il1β vwf vegfr htert
""")
# Names that say what sort of thing is meant and not which.
GENERIC: Final = frozenset(
    fold_name(name)
    for name in word_set("""
        disease disorder syndrome condition illness sickness infection injury wound
        lesion symptom sign finding complication defect deficiency abnormality anomaly
        malformation role drug agent chemical compound molecule substance medication
        medicine pharmaceutical acid base salt ion atom group water solution solvent
        protein enzyme gene receptor antibody antigen peptide ligand hormone factor
        inhibitor activator agonist antagonist inducer blocker substrate complex family
        process pathway cell tissue organ human patient recurrence death 
        pathology disease-attribute disease-progression disease-susceptibility
        chronic-disease genetic-predisposition-to-disease
        genetic-predisposition body-weight birth-weight marker
        reagent poison metabolite element food application air
        medical-condition acute-disease iatrogenic-disease
        rare-disease critical-illness pathologic-process
    """)
)

ORGANISMS: Final[tuple[Term, ...]] = tuple(
    Term(f"taxon:{taxon}", names[0], "organism", names=names, taxon=taxon)
    for taxon, names in {
        "9606": ("human", "Homo sapiens"),
        "10090": ("mouse", "mice", "murine", "Mus musculus"),
        "10116": ("rat", "Rattus norvegicus"),
        "7955": ("zebrafish", "Danio rerio"),
        "7227": ("fruit fly", "Drosophila melanogaster", "Drosophila"),
        "6239": ("Caenorhabditis elegans", "C. elegans"),
        "4932": ("Saccharomyces cerevisiae", "S. cerevisiae"),
        "562": ("Escherichia coli", "E. coli"),
        "9544": ("rhesus macaque", "rhesus monkey", "Macaca mulatta"),
        "9615": ("Canis familiaris", "dog"),
        "9823": ("Sus scrofa", "pig"),
        "10141": ("guinea pig", "Cavia porcellus"),
        "9986": ("rabbit", "Oryctolagus cuniculus"),
    }.items()
)
