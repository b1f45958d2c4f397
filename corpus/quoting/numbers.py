"""Numbers with their units and comparisons, as a text states them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Final

_WORDS: Final = {
    "zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
    "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "hundred": 100, "thousand": 1000, "million": 1000000,
}  # fmt: skip
_FOLDS: Final = {
    "twofold": 2, "double": 2, "doubled": 2, "doubles": 2, "doubling": 2, "twice": 2,
    "threefold": 3, "triple": 3, "tripled": 3, "triples": 3, "fourfold": 4, "fivefold": 5,
    "sixfold": 6, "sevenfold": 7, "eightfold": 8, "tenfold": 10,
}  # fmt: skip
_SHARES: Final = {"half": Decimal(50), "halved": Decimal(50), "quarter": Decimal(25)}

# Unit -> (dimension, factor to the dimension's base). Only units of one dimension compare.
_UNITS: Final[dict[str, tuple[str, Decimal]]] = {}


def _add(dimension: str, **factors: str) -> None:
    for names, factor in factors.items():
        for name in names.split("_"):
            _UNITS[name] = (dimension, Decimal(factor))


_add("mass", kg_kilogram_kilograms="1e3", g_gram_grams="1", mg_milligram_milligrams="1e-3")
_add("mass", ug_mcg_μg_microgram_micrograms="1e-6", ng_nanogram_nanograms="1e-9", pg="1e-12")
_add("volume", l_liter_liters_litre_litres="1", dl="0.1", ml_milliliter_milliliters_cc="1e-3")
_add("volume", ul_μl_microliter_microliters="1e-6", nl="1e-9")
_add("molar", M="1", mM="1e-3", uM_μM="1e-6", nM="1e-9", pM="1e-12", fM="1e-15")
_add("amount", mol_mole_moles="1", mmol="1e-3", umol_μmol="1e-6", nmol="1e-9", pmol="1e-12")
_add("length", km="1e3", m_meter_meters_metre_metres="1", cm="1e-2", mm="1e-3", um_μm="1e-6")
_add("length", nm="1e-9")
_add("time", ms_milliseconds="1e-3", s_sec_secs_second_seconds="1", min_mins_minute_minutes="60")
_add("time", h_hr_hrs_hour_hours="3600", d_day_days="86400", wk_wks_week_weeks="604800")
_add("months", mo_mos_month_months="1", y_yr_yrs_year_years_yo="12")
_add("temperature", C_Celsius="1")
_add("sequence", bp_nt_nucleotides="1", kb_kbp="1e3", Mb_Mbp="1e6")
_add("protein", Da="1", kDa_kD="1e3", MDa="1e6")
_add("activity", IU="1", U_units_unit="1")
_add("dose", Gy="1", mGy="1e-3", cGy="1e-2")
_add("pressure", mmHg="1", kPa="7.50062")
_add("energy", kcal="4.184", kJ="1", J="1e-3")
_add("rate", Hz="1", kHz="1e3", MHz="1e6", rpm="0.0166666")
_add("share", **{"%": "1", "percent_pct": "1"})
_add("points", points_point="1")
_add("fold", fold_folds_x_times="1")

_NUMBER = r"(?:\d{1,3}(?:[,\u2009\u202f](?=\d{3}(?!\d))\d{3})+|\d+)(?:\.\d+)?|\.\d+"
_PATTERN: Final = re.compile(
    rf"""(?<![\w.,/])(?P<sign>(?<![\w)%°])-)?(?P<number>{_NUMBER})
    (?:\s*[x*×·]\s*10\s*\^?\s*(?P<power>-?\d+)|e(?P<exponent>-?\d+)|\^(?P<raised>-?\d+))?
    (?P<ordinal>st|nd|rd|th)?(?![\d])
    (?P<unit>\s*-?\s*(?:%|per\s?cent|°\s?C|mm\s?Hg|[A-Za-zμ]{{1,12}}))?
    (?P<per>\s?/\s?(?:\d+\s?)?[A-Za-zμ]{{1,4}}\d?(?:\s?/\s?[A-Za-z]{{1,5}})?)?""",
    re.VERBOSE,
)
_BEFORE: Final = (
    (re.compile(r"(?:at least|no (?:less|fewer) than|minimum of|≥|>=|⩾)\s*$", re.I), ">="),
    (re.compile(r"(?:at most|no more than|maximum of|up to|≤|<=|⩽)\s*$", re.I), "<="),
    (re.compile(r"(?:(?:less|fewer|lower|smaller|shorter) than|below|under|<)\s*$", re.I), "<"),
    (
        re.compile(r"(?:(?:more|greater|higher|larger|longer) than|above|exceed\w*|>)\s*$", re.I),
        ">",
    ),
)
_AFTER: Final = (
    (re.compile(r"^\s*(?:\w+\s)?or (?:more|above|older|greater|higher|longer)\b", re.I), ">="),
    (re.compile(r"^\s*(?:\w+\s)?or (?:less|fewer|below|younger|lower|shorter)\b", re.I), "<="),
)
_NAMED: Final = re.compile(
    r"(?:\b(?:type|phase|stage|grade|class|figure|fig\.?|table|chapter|day|group|arm|step|line|"
    r"exon|intron|chromosome|serotype|subtype|isoform|residue|position|codon|domain|box|section|"
    r"supplementary|ref\.?|no\.?))\s*$",
    re.I,
)


_TIMES: Final = frozenset({"/day", "/d", "/week", "/h", "/hour", "/year"})
_RANGE: Final = re.compile(r"\s*(?:-|to|and|or|±)\s*")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as stated: `value` in the base of its dimension, `compare` one of "", <, <=, >,
    >=.
    """

    value: Decimal
    dimension: str
    per: str
    compare: str
    shown: str
    start: int
    end: int

    def states(self, other: Quantity) -> bool:
        """Whether this quantity of a source is what `other` of a claim says."""
        same = self.value == other.value and self.compare == other.compare
        if not same:
            return False
        if not other.dimension:
            return True
        daily = other.per in _TIMES and not self.per  # "2 mg … daily" for "2 mg/day"
        return self.dimension == other.dimension and (daily or self.per == other.per)


def quantities(text: str) -> list[Quantity]:
    """The quantities of a text in order. Digits inside names (STAT3, IL-6) are none."""
    plain = _plain(text)
    found = [_read(plain, match) for match in _PATTERN.finditer(plain)]
    found += _worded(plain)
    ordered = sorted((q for q in found if q is not None), key=lambda q: q.start)
    return _share_units(plain, ordered)


def unstated(stated: Iterable[Quantity], claim: str) -> list[Quantity]:
    """The quantities of a claim that none of those stated says."""
    known = list(stated)
    return [one for one in quantities(claim) if not any(found.states(one) for found in known)]


def _plain(text: str) -> str:
    """Dashes, spaces, micro signs, raised and lowered digits in one form."""
    table = str.maketrans({**dict.fromkeys("‐‑–—−", "-"), "µ": "μ"})
    raised = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    out = re.sub(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))", ",", text.translate(table))
    out = re.sub(r"(?<=\b10)[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda m: "^" + m.group().translate(raised), out)
    out = re.sub(r"[\u00a0\u2009\u202f]", " ", out)
    out = re.sub(r"\bpercentage[\s-]points?\b", "points", out)
    return out.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))


def _read(text: str, match: re.Match[str]) -> Quantity | None:
    if match["ordinal"] or _inside_name(text, match):
        return None
    try:
        value = Decimal(match["number"].replace(",", ""))
    except InvalidOperation:
        return None
    power = match["power"] or match["exponent"]
    if power and abs(int(power)) < 30:
        value *= Decimal(10) ** int(power)
    if match["raised"] and abs(int(match["raised"])) < 30:
        value = value ** int(match["raised"])
    if match["sign"]:
        value = -value
    dimension, factor, per, end = _unit(match)
    return _make(text, value * factor, dimension, per, match.start(), end)


def _unit(match: re.Match[str]) -> tuple[str, Decimal, str, int]:
    """(dimension, factor, what it is per, end) of the unit behind a number; "" without one."""
    last = next(g for g in ("power", "exponent", "raised", "number") if match[g] is not None)
    none = ("", Decimal(1), "", match.end(last))
    if match["unit"] is None:
        return none
    name = unicodedata.normalize("NFC", re.sub(r"[\s-]", "", match["unit"]))
    name = {"percent": "%", "°C": "C"}.get(name, name)
    if match["unit"].strip() == "C":  # vitamin C, arm C: only °C is a temperature
        return none
    unit = _UNITS.get(name) or (_UNITS.get(name.lower()) if len(name) > 2 else None)
    if name in {"mL", "dL", "L", "uL", "μL", "MG", "ML", "Kg", "KG"}:
        unit = _UNITS[name.lower()]
    if unit is None:
        return none
    per = re.sub(r"\s", "", match["per"] or "").lower()
    return unit[0], unit[1], per, match.end()


def _inside_name(text: str, match: re.Match[str]) -> bool:
    """Whether the digits belong to a name: IL-6, type 2, chromosome 7, 5-HT."""
    before = text[max(0, match.start() - 24) : match.start()]
    if _NAMED.search(before) or re.match(r"-[A-Z]{2}", text[match.end("number") :]):
        return True
    if re.search(r"(?:alpha|beta|gamma|delta|kappa|[α-ω]|\b[A-Z]{2,5})\s$", before):
        return len(match["number"]) < 3 and not _unit(match)[0]  # TGF-beta 1, BRCA 1
    joined = re.search(r"([A-Za-zα-ωΑ-Ω]\w*)-$", before)
    return bool(joined) and match["sign"] is None


def _make(
    text: str, value: Decimal, dimension: str, per: str, start: int, end: int
) -> Quantity | None:
    before, after = text[max(0, start - 24) : start], text[end : end + 24]
    compare = next((sign for pattern, sign in _BEFORE if pattern.search(before)), "")
    compare = compare or next((sign for pattern, sign in _AFTER if pattern.search(after)), "")
    shown = " ".join(text[start:end].split())
    return Quantity(value.normalize(), dimension, per, compare, shown, start, end)


def _worded(text: str) -> list[Quantity | None]:
    """Numbers written as words: "five patients", "a twofold rise", "half of the cells"."""
    found: list[Quantity | None] = []
    taken = 0
    for match in re.finditer(r"\b[a-z]+\b", text.lower()):
        word, start, end = match.group(), match.start(), match.end()
        if start < taken:
            continue
        if word in _WORDS:
            value = Decimal(_WORDS[word])
            ones = re.match(r"[-\s]([a-z]+)\b", text[end:].lower())
            if ones and 20 <= value < 100 and _WORDS.get(ones.group(1), 10) < 10:
                value, end = value + _WORDS[ones.group(1)], end + ones.end()
            dimension, factor = _word_unit(text[end:])
            found.append(_make(text, value * factor, dimension, "", start, end))
            taken = end
        elif word in _FOLDS:
            found.append(_make(text, Decimal(_FOLDS[word]), "fold", "", start, end))
        elif word in _SHARES:
            found.append(_make(text, _SHARES[word], "share", "", start, end))
    return found


def _word_unit(rest: str) -> tuple[str, Decimal]:
    unit = re.match(r"[-\s]*(%|per\s?cent|[a-z]+)", rest.lower())
    name = re.sub(r"\s", "", unit.group(1)) if unit else ""
    if len(name) > 2 or name == "%":
        return _UNITS.get(name, ("", Decimal(1)))
    return "", Decimal(1)


def _share_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """In "10-20 mg" and "10 or 20 mg" the first number has the unit of the second."""
    out = list(found)
    for index in range(len(out) - 2, -1, -1):
        first, second = out[index], out[index + 1]
        between = text[first.end : second.start]
        if not first.dimension and second.dimension and _RANGE.fullmatch(between):
            base = _factor(second)
            value = (first.value * base).normalize()
            out[index] = replace(first, value=value, dimension=second.dimension, per=second.per)
    return out


def _factor(quantity: Quantity) -> Decimal:
    """How many base units one of the shown unit is."""
    number = re.match(r"-?[\d.,]+", quantity.shown)
    shown = Decimal(number.group().replace(",", "")) if number else Decimal(0)
    return quantity.value / shown if shown else Decimal(1)
