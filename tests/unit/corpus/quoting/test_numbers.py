"""Numbers are read with their units and comparisons; names are left alone."""

from __future__ import annotations

from decimal import Decimal

import pytest

from corpus.quoting.numbers import quantities


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("621 of 2,022 patients (31 %), ratio 0.85", [621, 2022, 31, "0.85"]),
        ("1\u2009000 cells and 10⁵ CFU and 1.5 × 10^6 and 2e-3", [1000, 100000, 1500000, "0.002"]),
        ("a two-fold rise in five of twenty-five", [2, 5, 25]),
        ("a twofold rise, half of them, doubled", [2, 50, 2]),
        ("-5 mV, 60 %–70 %", [-5, 60, 70]),
        ("IL-6, STAT3, p53, CD4+, miR-21, COVID-19, TGF-beta 1", []),
        ("type 2, phase 3, chromosome 7, 5-HT, Figure 2, 3rd", []),
        ("vitamin C and arm C", []),
    ],
)
def test_values(text, values):
    assert [q.value for q in quantities(text)] == [Decimal(str(value)) for value in values]


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("24 h", "1 day"),
        ("1000 mg", "1 g"),
        ("0.1 mg/mL", "100 µg/ml"),
        ("5 percent", "5 %"),
        ("10-20 mg", "10 mg"),
        ("at least 5 years", "5 years or more"),
        ("P<0.05", "P < 0.05"),
        ("12-week", "12 weeks"),
        ("25 patients", "25"),
    ],
)
def test_equal_quantities(source, claim):
    wanted = quantities(claim)[0]
    assert any(found.states(wanted) for found in quantities(source))


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("24 h", "24 min"),
        ("5 mg", "5 mg/kg"),
        ("5 nM", "5 mM"),
        ("5", "5 %"),
        ("P<0.05", "P = 0.05"),
        ("less than 5 %", "more than 5 %"),
        ("5 %", "at least 5 %"),
        ("-5 mV", "5 mV"),
    ],
)
def test_different_quantities(source, claim):
    wanted = quantities(claim)[0]
    assert not any(found.states(wanted) for found in quantities(source))
