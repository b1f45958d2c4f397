"""Names in text."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.lexicon.folding import fold_name
from corpus.lexicon.matcher import Lexicon, Match
from corpus.types import Term
from tests.unit.corpus.lexicon.conftest import TERMS

WIDE = Lexicon(TERMS)
PIECES = st.sampled_from(
    [term.label for term in TERMS]
    + ["VEGFR1-3", "IL-1α/β", "(", ")", ", ", " and ", "-", "/", " the ", "α", "ﬁ", "é", "s"]
    + [
        "sporadic ",
        " type II",
        "xyzumab",
        "\u0301",
        "\u00ad",
        " gene",
        "non-",
        "breast and ",
        ".\n",
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=25).map("".join))


def found(lexicon: Lexicon, text: str) -> list[tuple[str, str]]:
    """(text, id) of each match."""
    return [(match.text, match.curie) for match in lexicon.match(text)]


def only(lexicon: Lexicon, text: str) -> Match:
    (match,) = lexicon.match(text)
    return match


def test_a_name_inside_a_longer_word_is_not_found(lexicon):
    assert found(lexicon, "VEGFR rose in metastatic lesions") == [("VEGFR", "fplx:VEGFR")]
    assert found(lexicon, "EGFRvIII, pEGFRx and MET2") == []


def test_a_range_names_its_family_and_each_member(lexicon):
    matches = lexicon.match("inhibits VEGFR1-3 strongly")
    assert {(m.text, m.curie, m.reason) for m in matches} == {
        ("VEGFR", "fplx:VEGFR", "stem"),
        ("VEGFR1", "hgnc:3763", "synonym"),
        ("VEGFR1-3", "hgnc:6307", "range"),
        ("VEGFR1-3", "hgnc:3767", "range"),
    }


def test_a_family_is_found_in_a_range_of_which_no_member_is_known():
    alone = Lexicon([term for term in TERMS if term.curie == "fplx:VEGFR"])
    assert found(alone, "inhibits VEGFR1-3") == [("VEGFR", "fplx:VEGFR")]


def test_an_enumeration_names_each_member(lexicon):
    assert found(lexicon, "VEGFR-1, -2 and -3") == [
        ("VEGFR-1", "hgnc:3763"),
        ("-2", "hgnc:6307"),
        ("-3", "hgnc:3767"),
    ]
    assert found(lexicon, "IL-1α/β") == [("IL-1α", "hgnc:5991"), ("β", "hgnc:5992")]


def test_a_number_that_only_follows_is_no_member(lexicon):
    assert found(lexicon, "VEGFR-1 and 2 patients") == [("VEGFR-1", "hgnc:3763")]


@pytest.mark.parametrize(
    "name", ["IL-6", "IL6", "IL 6", "interleukin 6", "interleukin-6", "Interleukin-6", "il-6"]
)
def test_il6_is_one_gene_however_it_is_spelled(lexicon, name):
    match = only(lexicon, f"serum {name} rose")
    assert (match.text, match.curie) == (name, "hgnc:6018")


@pytest.mark.parametrize(
    "name",
    ["NF-κB", "NF-kB", "NFκB", "NFkB", "NF-kappaB", "NF-kappa B", "nuclear factor kappa B"],
)
def test_nf_kappa_b_is_one_family_however_it_is_spelled(lexicon, name):
    match = only(lexicon, f"active {name} enters")
    assert (match.text, match.curie) == (name, "fplx:NFkappaB")


@pytest.mark.parametrize("name", ["TGF-β1", "TGFβ1", "TGF-beta 1", "TGFB1", "TGFbeta1"])
def test_a_greek_letter_is_its_name_and_its_latin_letter(lexicon, name):
    assert found(lexicon, f"by {name}.") == [(name, "hgnc:11766")]


@pytest.mark.parametrize("name", ["α-synuclein", "alpha-synuclein", "Alpha synuclein", "SNCA"])
def test_alpha_synuclein_is_snca(lexicon, name):
    """A21."""
    assert found(lexicon, name) == [(name, "hgnc:11138")]


def test_of_names_that_overlap_the_longest_wins_and_then_the_first(lexicon):
    assert found(lexicon, "α-synuclein alpha-synuclein") == [
        ("α-synuclein", "hgnc:11138"),
        ("alpha-synuclein", "hgnc:11138"),
    ]


def test_the_approved_symbol_may_be_the_label_alone():
    lexicon = Lexicon([Term("hgnc:3236", "EGFR", "gene", ("a receptor",), ("ERBB1",))])
    assert [m.reason for m in lexicon.match("EGFR, ERBB1")] == ["symbol", "synonym"]


def test_terms_of_one_id_are_joined_whatever_files_they_come_from():
    lexicon = Lexicon(
        [Term("fplx:AB", "ABfam", "family"), Term("fplx:AB", "", "family", ("QZX-7",))]
    )
    assert found(lexicon, "QZX7 and ABfam") == [("QZX7", "fplx:AB"), ("ABfam", "fplx:AB")]


def test_of_two_files_the_one_that_knows_what_a_term_is_says_so():
    bare = Term("mesh:D010300", "Parkinson s", "other", ("Parkinson s", "PD of old"))
    known = Term("mesh:D010300", "Parkinson Disease", "disease", ("Parkinson Disease",))

    for terms in ([bare, known], [known, bare]):
        match = Lexicon(terms).match("Parkinson s in men")[0]
        assert (match.kind, match.label) == ("disease", "Parkinson Disease")


def test_an_alias_of_two_genes_goes_to_the_one_that_spells_it_so(lexicon):
    match = only(lexicon, "anti PD-1 therapy")
    assert (match.curie, match.alternatives) == ("hgnc:8760", ("hgnc:11138",))
    assert found(lexicon, "SEPT2 and 2-Sep") == [("SEPT2", "hgnc:7729")]


def test_an_alias_of_two_genes_that_nothing_tells_apart_is_dropped(lexicon):
    assert found(lexicon, "SHAREDX is high") == []


def test_an_approved_symbol_comes_before_an_alias():
    other = Term("hgnc:99009", "ZZZ9", "gene", ("other",), ("ZZZ9", "FLT1"))
    match = only(Lexicon([other, *TERMS]), "FLT1")
    assert (match.curie, match.reason) == ("hgnc:3763", "symbol")
    assert match.alternatives == ("hgnc:99009",)


@pytest.mark.parametrize(
    "text",
    [
        "the patient WAS seen by us",
        "it was seen; we met the cat; impact on set",
        "a CAT scan was made",
        "WHAT WAS FOUND HERE",
        "high IMPACT journals",
        "TOR, B1, CAT",
        "The catalogue, THC, TS and T cells",
    ],
)
def test_a_symbol_that_reads_as_a_word_needs_its_context(lexicon, text):
    assert found(lexicon, text) == []


@pytest.mark.parametrize(
    ("text", "curie"),
    [
        ("mutations of the WAS gene", "hgnc:12731"),
        ("CAT activity fell", "hgnc:1516"),
        ("a MET inhibitor", "hgnc:7029"),
        ("IMPACT mRNA", "hgnc:20387"),
        ("WAS-/- animals", "hgnc:12731"),
    ],
)
def test_words_of_genes_beside_it_give_a_symbol_its_meaning(lexicon, text, curie):
    assert [match.curie for match in lexicon.match(text)] == [curie]


def test_genes_beside_it_in_a_list_give_a_symbol_its_meaning(lexicon):
    assert found(lexicon, "EGFR, MET and KDR")[1] == ("MET", "hgnc:7029")


def test_a_short_alias_counts_only_with_its_long_form(lexicon):
    assert found(lexicon, "TMS in plasma") == []
    with_name = "Thymidylate synthetase (TMS) and TMS levels"
    assert [c for _, c in found(lexicon, with_name)] == ["hgnc:12441"] * 3


def test_mice_are_animals_and_no_gene(lexicon):
    """A20."""
    match = only(lexicon, "in mice fed a high-fat diet")
    assert (match.text, match.curie, match.kind) == ("mice", "taxon:10090", "organism")


def test_tbxt_is_not_tyms(lexicon):
    assert found(lexicon, "TBXT in chordoma") == [("TBXT", "hgnc:11515")]


def test_withdrawn_terms_and_generic_names_are_not_found(lexicon):
    assert found(lexicon, "GONE1 in a disease of the skin") == []


def test_what_a_text_defines_counts_throughout(lexicon):
    text = "Wiskott-Aldrich syndrome (WAS) is rare. WAS patients bleed."
    matches = lexicon.match(text)
    assert [(m.text, m.curie) for m in matches] == [
        ("Wiskott-Aldrich syndrome", "mesh:D014923"),
        ("WAS", "mesh:D014923"),
        ("WAS", "mesh:D014923"),
    ]
    assert matches[1].reason == "long form"


def test_an_abbreviation_of_something_unknown_is_not_what_it_looks_like(lexicon):
    assert found(lexicon, "adult insect diet studies (AIDS) and AIDS") == []
    assert found(lexicon, "AIDS and hearing aids") == [("AIDS", "mesh:D000163")]


@pytest.mark.parametrize(
    "text",
    [
        "catheter angled twice (CAT) and CAT",
        "first late test 1 (FLT1) of FLT1",
        "estimated rate, eGFR, fell",
        "an assessment tool, RAT, was used",
        "Buenos Mets",
    ],
)
def test_an_acronym_of_something_else_is_no_gene_and_no_animal(lexicon, text):
    assert found(lexicon, text) == []


def test_a_definition_that_agrees_with_a_gene_confirms_its_alias(lexicon):
    assert found(lexicon, "the septin protein (SEPT2)") == [("SEPT2", "hgnc:7729")]
    assert ("TMS", "hgnc:12441") in found(lexicon, "the enzyme thymidylate maker synth (TMS)")


def test_spelling_plural_and_inversion_do_not_matter(lexicon):
    assert found(lexicon, "oedema, edemas") == [
        ("oedema", "mesh:D004487"),
        ("edemas", "mesh:D004487"),
    ]
    assert found(lexicon, "familial polyposis") == [("familial polyposis", "mesh:D011125")]
    assert found(lexicon, "ovarian tumours") == [("ovarian tumours", "mesh:D010051")]


def test_a_name_does_not_reach_over_the_end_of_a_sentence(lexicon):
    assert found(lexicon, "Polyposis. Familial forms") == []
    assert found(lexicon, "it fell in ovarian. Cancer rose") == []


def test_a_disease_reaches_over_the_words_of_its_form(lexicon):
    assert found(lexicon, "sporadic breast cancer; X-linked mucopolysaccharidosis type II") == [
        ("sporadic breast cancer", "mesh:D001943"),
        ("X-linked mucopolysaccharidosis type II", "mesh:D009085"),
    ]


def test_diseases_that_share_a_head_share_their_mention(lexicon):
    assert found(lexicon, "hereditary breast and ovarian cancer") == [
        ("hereditary breast and ovarian cancer", "mesh:D001943"),
        ("hereditary breast and ovarian cancer", "mesh:D010051"),
    ]


def test_what_is_negated_or_part_of_an_unknown_name_is_not_found(lexicon):
    assert found(lexicon, "non-AIDS patients given nitro-L-arginine") == []
    assert found(lexicon, "lithium carbonate") == [("lithium carbonate", "chebi:48607")]


def test_one_disease_has_one_id_with_the_others_beside_it(lexicon):
    match = only(lexicon, "breast cancer")
    assert (match.curie, match.also) == ("mesh:D001943", ("doid:1612",))


def test_endings_tell_drugs_that_no_vocabulary_has(lexicon):
    text = "xyzumab, foolatinib, Barrafenib, quxparib, bazostat, novoformin and metformin"
    matches = lexicon.match(text)
    assert [m.curie for m in matches[:3]] == ["drug:xyzumab", "drug:foolatinib", "drug:barrafenib"]
    assert {(m.vocabulary, m.reason) for m in matches[:-1]} == {("suffix", "drug suffix")}
    assert (matches[-1].curie, len(matches)) == ("chebi:6801", 7)


def test_words_that_only_end_like_a_drug_are_none(lexicon):
    assert found(lexicon, "thermostat, cryostat, STAT, pSTAT, stat and nib") == []


def test_a_saved_lexicon_finds_the_same(lexicon):
    again = pickle.loads(pickle.dumps(lexicon))
    text = "IL-6, PD-1 and xyzumab"
    assert again.match(text) == lexicon.match(text)


@given(TEXTS)
def test_spans_hold_the_name_that_was_found(text):
    for match in WIDE.match(text):
        assert text[match.start : match.end] == match.text
        if match.reason not in ("long form", "range", "enumeration"):
            assert f" {fold_name(match.name)} " in f" {fold_name(match.text)} "


@given(TEXTS)
def test_no_match_begins_or_ends_inside_a_run_of_letters(text):
    for match in WIDE.match(text):
        before, after = text[: match.start][-1:], text[match.end :][:1]
        if match.reason != "enumeration":  # the β of IL-1α/β
            assert not (before.isalnum() and match.text[0].isalnum())
        if match.reason == "stem":  # the VEGFR of VEGFR1-3
            assert not after.isalpha()
        else:
            assert not (after.isalnum() and match.text[-1].isalnum())


@given(TEXTS)
def test_reading_twice_finds_the_same_and_only_members_overlap(text):
    matches = WIDE.match(text)
    assert matches == Lexicon.match(WIDE, text)
    apart = [m for m in matches if m.reason not in ("stem", "range", "enumeration")]
    assert all(a.end <= b.start for a, b in pairwise(apart))
