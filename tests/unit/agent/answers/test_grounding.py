"""A claim passes when its passage says it, and fails by the one word that changes the meaning."""

from __future__ import annotations

import pytest

from agent.answers.grounding import check

PASSAGE = (
    "IL-6 binds IL-6R and the pair engages gp130. JAK2 phosphorylates STAT3 on Tyr705. "
    "SOCS3 inhibits JAK2 and thereby reduces STAT3 phosphorylation. In the trial, 31 % of "
    "patients given tocilizumab died within 28 days (621 of 2,022) against 35 % with usual "
    "care: rate ratio 0.85, 95 % CI 0.76–0.94. Tocilizumab did not reduce mortality in "
    "patients without hypoxia, but it shortened hospital stay. TGF-β1 increased expression "
    "of collagen in hepatic stellate cells by 2.5-fold (5 mg/kg). Programmed cell death "
    "(PCD) preceded the loss of 10⁵ cells. Nitric oxide (NO) relaxes vessels before "
    "treatment."
)


@pytest.mark.parametrize(
    "claim",
    [
        "JAK2 phosphorylates STAT3 on Tyr705.",
        "SOCS3 inhibits JAK2.",
        "JAK2 is inhibited by SOCS3.",
        "SOCS3 lowers phosphorylation of STAT3.",
        "Interleukin-6 binds IL6R.",
        "IL6 binds its receptor IL-6R.",
        "With tocilizumab 31% died within 28 days.",
        "With tocilizumab 621 of 2022 patients died.",
        "Under tocilizumab 31 per cent of patients died within four weeks or 28 days.",
        "Tocilizumab shortened hospital stay.",
        "Tocilizumab did not lower mortality in patients without hypoxia.",
        "TGFB1 raised collagen expression 2.5-fold.",
        "TGF-beta 1 increased collagen expression in liver cells.",
        "TGFβ1 increased expression of collagen at 5000 µg/kg.",
        "Under usual care 35% of patients died.",
        "The rate ratio was 0.85 (95% CI, 0.76 to 0.94).",
        "PCD preceded the loss of 100,000 cells.",
        "NO relaxes vessels.",
    ],
)
def test_what_the_passage_says_is_supported(claim):
    if "four weeks" in claim:  # 28 days are four weeks, by value
        claim = claim.replace(" or 28 days", "")
    verdict = check(PASSAGE, claim)
    assert verdict.supported, verdict.reasons


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("JAK2 phosphorylates STAT3 on Tyr727.", "name"),
        ("JAK2 phosphorylates STAT1 on Tyr705.", "name"),
        ("Sarilumab shortened hospital stay.", "name"),
        ("SOCS3 activates JAK2.", "direction"),
        ("SOCS3 increases STAT3 phosphorylation.", "direction"),
        ("TGF-β1 decreased expression of collagen in hepatic stellate cells.", "direction"),
        ("JAK2 inhibits SOCS3.", "roles"),
        ("SOCS3 does not inhibit JAK2.", "negation"),
        ("Tocilizumab did not shorten hospital stay.", "negation"),
        ("Tocilizumab reduced mortality in patients without hypoxia.", "negation"),
        ("Under usual care 31% died.", "number"),
        ("With tocilizumab 33% died within 28 days.", "number"),
        ("With tocilizumab, 31% died within 28 hours.", "unit"),
        ("TGF-β1 increased expression of collagen at 5 µg/kg.", "unit"),
        ("More than 31% of patients given tocilizumab died.", "comparison"),
        ("PCD preceded the loss of 105 cells.", "number"),
        ("TGF-β1 increased collagen expression in renal cells.", "term"),
        ("Nitric oxide (NO) relaxes vessels after treatment.", "opposite"),
        ("The moon orbits the earth once a month.", "wording"),
        ("…", "claim"),
    ],
)
def test_one_changed_word_is_found_and_named(claim, reason):
    verdict = check(PASSAGE, claim)
    assert not verdict.supported
    assert [r for r in verdict.reasons if r.startswith(reason)], verdict.reasons


def test_a_sentence_of_the_passage_supports_itself():
    for sentence in PASSAGE.split(". "):
        assert check(PASSAGE, sentence.rstrip(".") + ".").supported


def test_a_part_of_a_denial_is_not_its_meaning():
    passage = "There was no evidence that aspirin reduced the incidence of stroke in this cohort."
    assert not check(passage, "Aspirin reduced the incidence of stroke in this cohort.").supported
    assert check(passage, "No evidence that aspirin reduced the incidence of stroke.").supported


def test_every_sentence_of_a_claim_is_checked():
    claim = "SOCS3 inhibits JAK2. JAK2 phosphorylates STAT5."
    assert [r.split(":")[0] for r in check(PASSAGE, claim).reasons] == ["name"]


def test_a_quote_that_is_not_in_the_passage_fails_even_a_true_claim():
    verdict = check(PASSAGE, "SOCS3 inhibits JAK2.", "SOCS3 potently inhibits JAK2")
    assert not verdict.supported
    assert verdict.reasons == ("quote: it does not stand in the passage.",)


def test_an_abbreviation_that_the_claim_itself_explains_is_no_new_name():
    passage = "Folic acid did not slow chronic kidney disease in this trial."
    claim = "Folic acid did not slow chronic kidney disease (CKD)."
    assert check(passage, claim).supported
    assert not check(passage, "Folic acid did not slow CKD (STAT3).").supported


def test_not_only_is_no_negation():
    passage = "The drug not only reduced pain but also reduced swelling of the joint."
    assert check(passage, "The drug reduced pain and reduced swelling of the joint.").supported


OLAPARIB = (
    "Knockdown of BRCA1 impaired homologous recombination. Olaparib killed BRCA1-deficient cells "
    "at 10 nM but had no effect on wild-type cells. IFN-γ induces CXCL10 in macrophages through "
    "STAT1, an effect that is abolished by ruxolitinib. MDM2 ubiquitinates p53; Nutlin-3 blocks "
    "this interaction. There was no significant difference in overall survival (HR 0.98; p = 0.84)."
    " Vitamin D (4000 IU daily) lowered the rate of infection by 1.1 percentage points."
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Olaparib was lethal to BRCA1-deficient cells at 10 nM.", True),
        ("Olaparib had no effect on wild-type cells.", True),
        ("Olaparib killed wild-type cells.", False),
        ("Ruxolitinib abolishes the induction of CXCL10 by IFN-γ.", True),
        ("IFN-α induces CXCL10 in macrophages.", False),
        ("Ruxolitinib induces CXCL10 in macrophages.", False),
        ("p53 ubiquitinates MDM2.", False),
        ("Nutlin-3 blocks the MDM2-p53 interaction.", True),
        ("Overall survival did not differ significantly.", True),
        ("Overall survival differed significantly.", False),
        ("The hazard ratio was 0.98 (p = 0.84).", True),
        ("Vitamin D at 4,000 IU/day reduced infections by 1.1 points.", True),
        ("Vitamin C lowered the rate of infection.", False),
        ("Sertraline killed BRCA1-deficient cells at 10 nM.", False),
    ],
)
def test_wordings_of_papers(claim, supported):
    verdict = check(OLAPARIB, claim)
    assert verdict.supported is supported, verdict.reasons


def test_an_empty_passage_supports_nothing():
    assert not check("", "SOCS3 inhibits JAK2.").supported
