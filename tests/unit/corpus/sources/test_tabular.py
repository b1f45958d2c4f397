"""Tables of any form come out as the same header and rows; a row that does not fit spares the
others.
"""

from __future__ import annotations

import csv
import io
import json
import random
import string
import zipfile

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sources.base import Broken, NotThisSource, ParseError
from corpus.sources.genenames import pmids, taxon_of, undated
from corpus.sources.tabular import ROW_NAME, Table, find_column, read_table

HEADER = ("gene", "value")
ROWS = [("STAT3", "1.5"), ("IL6", "-2")]


def cells(table: Table) -> list[tuple[str, ...]]:
    return [row.cells for row in table.rows]


def xlsx(*rows: tuple[object, ...]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"gene,value\nSTAT3,1.5\nIL6,-2\n",
        b"gene\tvalue\r\nSTAT3\t1.5\r\nIL6\t-2\r\n",
        b"gene;value\rSTAT3;1.5\rIL6;-2",
        b'\xef\xbb\xbf"gene","value"\n"STAT3","1.5"\n\n"IL6",-2',
        b"# made by hand\n#gene\tvalue\nSTAT3\t1.5\nIL6\t-2\n",
        "gene\tvalue\nSTAT3\t1.5\nIL6\t-2\n".encode("utf-16"),
        b'[{"gene": "STAT3", "value": 1.5}, {"gene": "IL6", "value": -2}]',
        b'{"gene": "STAT3", "value": "1.5"}\n\n{"value": -2, "gene": "IL6"}\n',
        xlsx(HEADER, ("STAT3", 1.5), ("IL6", -2)),
    ],
)
def test_every_form_gives_the_same_table(data: bytes) -> None:
    table = read_table(data, "t")

    assert (table.header, cells(table), table.broken) == (HEADER, ROWS, ())


def test_rows_keep_their_number_in_the_file() -> None:
    table = read_table(b"a,b\n\n1,2\n3\n5,6\n", "t.csv")

    assert [row.number for row in table.rows] == [3, 5]
    assert table.broken == (Broken("row 4", "Row 4 has 1 cells where the header has 2."),)


def test_quoted_fields_hold_delimiters_and_line_ends() -> None:
    table = read_table(b'a;b\n"one; two";"first\nsecond"\nx;y\n', "t.csv")

    assert cells(table) == [("one; two", "first second"), ("x", "y")]
    assert [row.number for row in table.rows] == [2, 4]


def test_a_bare_carriage_return_is_part_of_its_field() -> None:
    table = read_table(b"tf\tpmid\tsource\nTCF7L2\t14660579\r\ttf_act\nAR\t1\tx\n", "t.tsv")

    assert cells(table) == [("TCF7L2", "14660579", "tf_act"), ("AR", "1", "x")]


def test_a_header_with_one_name_fewer_leaves_the_first_column_to_row_names() -> None:
    table = read_table(b"IFNG\tIL6\nSTAT1\t2\t3\nSOCS3\t4\t5\n", "t.tsv")

    assert table.header == (ROW_NAME, "IFNG", "IL6")
    assert cells(table)[0] == ("STAT1", "2", "3")


def test_names_that_come_twice_are_told_apart() -> None:
    assert read_table(b"p,p,,p\n1,2,3,4\n", "t.csv").header == ("p", "p (2)", "column 3", "p (3)")


def test_an_open_quote_breaks_its_own_row_only() -> None:
    table = read_table(b'a,b\n1,2\n3,"open\n5,6\n7,8\n', "t.csv")

    assert cells(table) == [("1", "2"), ("5", "6"), ("7", "8")]
    assert [broken.name for broken in table.broken] == ["row 3"]


def test_a_field_without_end_breaks_its_own_row_only() -> None:
    lines = ["a,b", '1,"' + "x" * 200_000, *(f"{n},{n}" for n in range(50))]
    table = read_table("\n".join(lines).encode(), "t.csv")

    assert len(table.rows) == 50
    assert [broken.name for broken in table.broken] == ["row 2"]


def test_many_open_quotes_are_the_files_fault() -> None:
    lines = ["a,b", *['x,"' + "y" * 140_000] * 25]
    with pytest.raises(ParseError, match="quotes that are not closed"):
        read_table("\n".join(lines).encode(), "t.csv")


def test_nul_and_controls_do_not_reach_a_cell() -> None:
    table = read_table("a\tb\nx\x00y\tleft\u202eright\ue000\n".encode(), "t.tsv")

    assert cells(table) == [("xy", "leftright\ufffd")]


def test_windows_text_is_read() -> None:
    assert cells(read_table("a,b\nNFκB,1".encode(), "t")) == [("NFκB", "1")]
    assert cells(read_table("a,b\nµM,é".encode("cp1252"), "t")) == [("µM", "é")]


@pytest.mark.parametrize("data", [b"", b"  \n\n", b",,\n,,\n"])
def test_an_empty_table_is_skipped(data: bytes) -> None:
    with pytest.raises(NotThisSource):
        read_table(data, "t.csv")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\x00\x81\x00\x8d" * 50, "not text"),
        (b"[" * 50_000, "nested too deeply"),
        (b'[{"a": 1}, {"a": ', "not JSON"),
        (b"[1, 2, 3]", "no row that can be read"),
        (b"PK\x03\x04 nothing", "damaged workbook"),
        (b"a,b\n1\n2\n3\n4\n5\n", "most rows do not fit the header"),
        (("a," * 40_000).encode(), "more than 30,000 columns"),
    ],
)
def test_what_is_no_table_says_so(data: bytes, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_table(data, "t.csv")
    assert caught.value.message.startswith("t.csv ") or "t.csv: " in caught.value.message
    assert reason in caught.value.message


def test_a_number_without_end_is_no_crash() -> None:
    table = read_table(b'{"a": "x", "b": 1}\n{"a": "y", "b": ' + b"9" * 6_000 + b"}\n", "t.jsonl")

    assert [row.cells[0] for row in table.rows] == ["x"]
    assert [broken.name for broken in table.broken] == ["line 2"]


def test_a_workbook_keeps_values_of_formulas_and_the_first_filled_sheet() -> None:
    book = openpyxl.Workbook()
    book.create_sheet("data").append(("gene", "value", "note"))
    book["data"].append(("STAT3", 3.0))
    packed = io.BytesIO()
    book.save(packed)

    table = read_table(packed.getvalue(), "t.xlsx")

    assert table.header == ("gene", "value", "note")
    assert cells(table) == [("STAT3", "3", "")]


def test_an_archive_that_is_no_workbook_is_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    with pytest.raises(ParseError, match="no XLSX workbook"):
        read_table(packed.getvalue(), "t.xlsx")


def test_a_workbook_that_declares_entities_is_refused() -> None:
    source = zipfile.ZipFile(io.BytesIO(xlsx(HEADER)))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in source.namelist():
            text = source.read(name)
            if name == "xl/workbook.xml":
                text = b'<!DOCTYPE x [<!ENTITY a "b">]>' + text
            archive.writestr(name, text)
    with pytest.raises(ParseError, match="entities"):
        read_table(packed.getvalue(), "t.xlsx")


def test_columns_are_found_under_any_spelling() -> None:
    header = ("Gene Symbol", "log2FC", "P.Value")

    assert find_column(header, ("gene", "gene_symbol")) == "Gene Symbol"
    assert find_column(header, ("p_value",)) == "P.Value"
    assert find_column(header, ("other",)) == ""


plain = st.text(string.ascii_letters + string.digits + " ,;\"'|-.", max_size=12).map(str.strip)


@given(st.lists(st.tuples(plain.filter(bool), plain, plain), min_size=1, max_size=20))
def test_what_the_csv_module_writes_is_read_back(rows: list[tuple[str, str, str]]) -> None:
    written = io.StringIO()
    csv.writer(written).writerows([("h1", "h2", "h3"), *rows])

    table = read_table(written.getvalue().encode(), "t.csv")

    assert cells(table) == [tuple(" ".join(cell.split()) for cell in row) for row in rows]


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.integers() | st.none()), min_size=1))
def test_json_rows_have_a_cell_for_every_key(records: list[dict[str, int | None]]) -> None:
    keys = list(dict.fromkeys(key for record in records for key in record))
    data = json.dumps(records).encode()
    filled = [r for r in records if any(value is not None for value in r.values())]
    if not keys:
        with pytest.raises((NotThisSource, ParseError)):
            read_table(data, "t.json")
        return

    table = read_table(data, "t.json")

    expected = [tuple("" if r.get(k) is None else str(r[k]) for k in keys) for r in filled]
    assert (list(table.header), cells(table)) == (keys, expected)


@given(st.binary(max_size=400))
def test_any_bytes_end_as_a_table_or_a_reason(data: bytes) -> None:
    try:
        table = read_table(data, "t")
    except (ParseError, NotThisSource):
        return
    assert all(len(row.cells) == len(table.header) for row in table.rows)


@pytest.mark.parametrize("seed", range(40))
def test_damaged_workbooks_end_as_a_table_or_a_reason(seed: int) -> None:
    dice = random.Random(seed)
    data = bytearray(xlsx(HEADER, *ROWS))
    for _ in range(dice.randint(1, 8)):
        data[dice.randrange(4, len(data))] = dice.randrange(256)
    try:
        table = read_table(bytes(data), "t.xlsx")
    except (ParseError, NotThisSource):
        return
    assert table.header


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("123;456", ("123", "456")),
        ("123, 456|123", ("123", "456")),
        ("imex:IM-18734|pubmed:23518348", ("23518348",)),
        ("PMID:7, pmid:8", ("7", "8")),
        ("12.0", ("12",)),
        ("-", ()),
        ("", ()),
        ("Other", ()),
        ("doi:10.1000/123", ()),
    ],
)
def test_pubmed_ids_are_read_out_of_any_list(cell: str, found: tuple[str, ...]) -> None:
    assert pmids(cell) == found


def test_mice_are_told_by_the_case_of_symbols() -> None:
    assert taxon_of(["Cd274", "Jak1", "Stat3", "H2-K1", "MET"]) == "10090"
    assert taxon_of(["CD274", "C1orf112", "JAK1"]) == "9606"
    assert taxon_of([]) == "9606"


def test_a_date_is_a_symbol_again_where_only_one_can_be_meant() -> None:
    assert undated("7-Sep") == "SEPT7"
    assert undated("2019-12-01") == "DEC1"
    assert undated("1-Mar") == "1-Mar"
    assert undated("STAT3") == "STAT3"
