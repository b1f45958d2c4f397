"""Words that name a tissue, a species or a disease: a claim may not swap one for another."""

from __future__ import annotations

import re
from typing import Final

from agent.answers.words import stem, words

_SAME: Final = """
liver hepatic hepatocyte hepatocytes hepatocellular
kidney kidneys renal nephric
lung lungs pulmonary
heart cardiac myocardial myocardium cardiovascular
brain cerebral cns
breast mammary
skin cutaneous dermal
stomach gastric
bowel intestine intestinal gut
colon colonic colorectal
bone skeletal osseous
muscle muscular
blood serum plasma haematological hematological
eye ocular retinal retina
pancreas pancreatic
prostate prostatic
ovary ovarian ovaries
uterus uterine
cervix cervical
bladder urothelial
thyroid
adrenal
spleen splenic
thymus thymic
placenta placental
nerve neural neuronal neuron neurons
vessel vascular endothelial
mouse mice murine
rat rats
rabbit rabbits
zebrafish
yeast
drosophila
monkey monkeys macaque macaques
pig pigs porcine
dog dogs canine
cat cats feline
women woman female females
men man male males
children child paediatric pediatric infants infant neonates newborns adolescents
elderly older
pregnant pregnancy pregnancies
leukemia leukaemia
lymphoma
melanoma
diabetes diabetic
asthma asthmatic
stroke
malaria
tuberculosis
influenza flu
obesity obese
hypertension hypertensive
epilepsy epileptic
schizophrenia
depression depressive
autism autistic
smoking smokers smoker
alcohol
virus viral viruses
bacteria bacterial bacterium
fungal fungi fungus
"""
_GROUPS: Final = {
    stem(word): group for group, line in enumerate(_SAME.split("\n")) for word in line.split()
}
_DISEASE: Final = re.compile(
    r"[a-z]{3,}(?:itis|oma|osis|aemia|emia|pathy|plasia|penia|trophy|algia)$"
)
_NO_DISEASE: Final = frozenset(
    [
        "diagnosis",
        "prognosis",
        "apoptosis",
        "necrosis",
        "hypothesis",
        "mitosis",
        "meiosis",
        "phagocytosis",
        "endocytosis",
        "exocytosis",
        "metastasis",
        "homeostasis",
    ]
)


def special_terms(text: str) -> dict[str, str]:
    """Key of each tissue, species or disease the text names -> the word as it stands (folded)."""
    found: dict[str, str] = {}
    for word in words(text):
        group = _GROUPS.get(stem(word))
        if group is not None:
            found[f"group {group}"] = word
        elif _DISEASE.match(word) and word not in _NO_DISEASE:
            found[stem(word)] = word
    return found
