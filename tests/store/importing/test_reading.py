"""Files as machines write them: encodings, separators, line ends, and files given by mistake."""

import csv
import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from store.importing import FileRefused, Options
from store.importing.guess import is_column
from store.importing.reading import look_at
from store.importing.tables import table_of
from tests.store.importing.files import (
    HEADER,
    ORDER,
    ROW,
    SHOPIFY,
    encoded,
    orders_of,
    problems_of,
    table,
    taken,
    written,
)

CODECS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
MODEST = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)


@pytest.mark.parametrize("codec", [*CODECS, "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_table_reads_the_same_in_every_encoding(tmp_path: Path, codec: str, separator: str, line_end: str):
    text = table(ROW.replace("Desk Lamp", "Café-Lampe für Käthe")).replace(",", separator)
    path = written(tmp_path, encoded(text.replace("\n", line_end), codec), "orders.csv")
    (order,) = orders_of(path).values()
    assert (order.lines[0].name, order.total_minor) == ("Café-Lampe für Käthe", 4999)


@pytest.mark.parametrize("codec", [*CODECS, "cp1252"])
def test_json_reads_the_same_in_every_encoding(tmp_path: Path, codec: str):
    order = {**ORDER, "items": [{"name": "Café-Lampe", "price": "49.99"}]}
    path = written(tmp_path, encoded(json.dumps([order], ensure_ascii=False), codec), "orders.json")
    assert orders_of(path)["1001"].lines[0].name == "Café-Lampe"


CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12) | st.sampled_from(
    ['a "quoted", word', "two\nlines", "a\r\nb", ";;", "|", "\t", "=1+1", "'#1001", "مرحبا", "日本", '"']
)


@MODEST
@given(
    rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5),
    codec=st.sampled_from(CODECS),
    separator=st.sampled_from(",;\t|"),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_every_table_reads_back_cell_by_cell(tmp_path: Path, rows, codec, separator, line_end, quoting):
    header = [*HEADER.split(","), "gift note", "carrier"]
    if any(end in cell for row in rows for cell in row for end in "\r\n"):
        quoting = (
            csv.QUOTE_ALL
        )  # a line break outside quotes ends a line, and the writer quotes its own alone
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=separator, lineterminator=line_end, quoting=quoting)
    writer.writerows([header, *([*ROW.split(","), *row] for row in rows)])
    source = look_at(written(tmp_path, encoded(buffer.getvalue(), codec), "orders.csv"))
    found = [(row.cells["gift note"], row.cells["carrier"]) for row in table_of(source, is_column).rows()]
    assert found == rows


@MODEST
@given(data=st.binary(max_size=300))
@example(b"\xff\xfe")
@example(b"\xff\xfe\x00")
@example(b"\x00\x00\x00")
@example(b"\x81\x8d")
@example(b'"')
@example(b"sep=;\n")
def test_no_bytes_are_more_than_refused(tmp_path: Path, data: bytes):
    try:
        taken(written(tmp_path, data))
    except FileRefused as refused:
        assert str(refused)


def test_it_is_said_where_an_encoding_was_assumed(tmp_path: Path):
    from store.importing.taking import open_file

    latin = written(tmp_path, encoded(table(ROW.replace("Desk", "Café")), "cp1252"), "latin.csv")
    (told,) = open_file(latin, Options()).told
    assert told.startswith("latin.csv is no UTF-8 and was read as Windows-1252")
    unmarked = written(tmp_path, encoded(table(ROW), "utf-16-le"), "wide.csv")
    assert open_file(unmarked, Options()).told == ("wide.csv is read as UTF-16: half of its bytes are zero.",)
    assert open_file(written(tmp_path, table(ROW)), Options()).told == ()


def test_an_encoding_that_is_named_is_taken(tmp_path: Path):
    path = written(tmp_path, encoded(table(ROW.replace("Desk Lamp", "Лампа")), "cp1251"), "orders.csv")
    assert orders_of(path, encoding="cp1251")["1001"].lines[0].name == "Лампа"
    marked = written(tmp_path, encoded(table(ROW), "utf-8-sig"), "marked.csv")
    assert list(orders_of(marked, encoding="utf8")) == ["1001"]


@pytest.mark.parametrize("encoding", ["klingon", "base64", "rot13"])
def test_an_encoding_that_is_none_is_refused(tmp_path: Path, encoding: str):
    with pytest.raises(FileRefused, match=f"There is no encoding {encoding}"):
        taken(written(tmp_path, table(ROW)), encoding=encoding)


def test_bytes_that_are_not_of_the_named_encoding_are_refused(tmp_path: Path):
    content = table(*[ROW] * 1500) + "1002,shipped,paid,EUR,1.00,,,Café,1,1.00\n"
    path = written(tmp_path, encoded(content, "cp1252"), "orders.csv")
    with pytest.raises(FileRefused, match=r"orders\.csv was taken for ascii.*--encoding"):
        taken(path, encoding="ascii")


def _zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"),
        (b" \n\r\n ", "is empty"),
        ("\ufeff".encode(), "is empty"),
        (_zip(), r"Excel workbook \(\.xlsx\).*save it as CSV UTF-8"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", r"old Excel workbook"),
        (gzip.compress(b"{}", mtime=0), "gzip"),
        (b"%PDF-1.7", "is a PDF"),
        (b"SQLite format 3\x00", "DATABASE_URL"),
        (b"<!DOCTYPE html><html></html>", "HTML or XML"),
        (b"<?xml version='1.0'?><orders/>", "HTML or XML"),
        (b"hello, how are you?\n", "neither JSON nor a table"),
        (b"a,b,c\n1,2,3\n", "neither JSON nor a table"),
        (b"abc def\x00\n", "no text file"),
        (b"\x81\x8d\x8f,\x90\n", "none of UTF-8, UTF-16 and Windows-1252"),
        (b"[{]", r"line 1, column 3: expected"),
        (b'{"orders": [{"id": "1001"', r"the file ends there"),
        (b"[1, 2", "the file ends there"),
        (b"{'id': 1}", "in double quotes|property name"),
        (b"[" * 100_000, "not nested that deeply"),
        (b'{"a":' * 100_000, "not nested that deeply"),
        (b'{"hello": "world"}', "an object of the keys hello, and none of the forms"),
        (b"[1, 2, 3]", "none of the forms"),
        (b'"orders"', "neither JSON nor a table"),
    ],
)
def test_a_file_given_by_mistake_says_what_it_is(tmp_path: Path, content: bytes, told: str):
    with pytest.raises(FileRefused, match=told) as refused:
        taken(written(tmp_path, content))
    assert str(refused.value).startswith("orders")


def test_a_folder_a_missing_file_and_a_pipe_say_what_they_are(tmp_path: Path):
    import os

    os.mkfifo(tmp_path / "pipe")
    for name, told in (("", "is a folder"), ("missing.csv", "There is no file"), ("pipe", "is a pipe")):
        with pytest.raises(FileRefused, match=told):
            taken(tmp_path / name)


def test_a_personal_key_is_not_told(tmp_path: Path):
    with pytest.raises(FileRefused) as refused:
        taken(written(tmp_path, {"mira@example.com": 1, "+49 30 5550 1101": 2, "colour": 3}))
    assert "mira" not in str(refused.value)
    assert "5550" not in str(refused.value)
    assert "colour" in str(refused.value)


# ---------------------------------------------------------------- tables


def test_excels_word_on_the_separator_and_empty_lines_are_passed_over(tmp_path: Path):
    text = f"sep=;\n\n{table('', ROW, '').replace(',', ';')}"
    assert list(orders_of(written(tmp_path, text))) == ["1001"]


def test_a_column_that_stands_there_twice_is_refused(tmp_path: Path):
    with pytest.raises(FileRefused, match="has the column 'price' twice"):
        taken(written(tmp_path, table(ROW + ",1", header=f"{HEADER},price")))


def test_a_column_that_is_needed_and_missing_is_named(tmp_path: Path):
    with pytest.raises(FileRefused, match=r"ShopKart's own CSV, and has no column price, total\."):
        taken(written(tmp_path, "order_id,status,payment,item,quantity\n1,shipped,paid,Lamp,1\n"))


def test_a_quote_that_is_not_closed_does_not_swallow_the_file(tmp_path: Path):
    path = written(tmp_path, table(ROW, '1002,shipped,paid,EUR,5.00,,,"Lamp,1,5.00', "1003,,,,,,,Mug,1,1.00"))
    (problem,) = problems_of(path)
    assert problem == (
        "orders.csv, line 3: a quote that is opened and not closed; expected as many cells as columns."
    )


def test_a_row_with_more_cells_than_columns_is_told_with_the_order_above_it(tmp_path: Path):
    records, problems = taken(
        written(tmp_path, table(ROW, "1001,,,,,,,Mug,1,1.00,0,0", ROW.replace("1001", "1002")))
    )
    assert problems == [
        "orders.csv, line 3: 12 cells where the first line has 10 columns; expected as many cells as columns."
    ]
    assert [record.id for record in records] == ["1002"]


def test_columns_that_are_not_read_are_told(tmp_path: Path):
    from store.importing.taking import open_file

    path = written(tmp_path, table(f"{ROW},red,x", header=f"{HEADER},Colour,"))
    assert open_file(path, Options()).told == ("orders.csv: columns that are not read: Colour.",)


@pytest.mark.parametrize(
    "number", ["'#1001", '"=""#1001"""', " #1001 ", "1001", "\u200b#1001".strip("\u200b")]
)
def test_a_spreadsheets_marks_around_an_order_number_go(tmp_path: Path, number: str):
    assert list(orders_of(written(tmp_path, table(ROW.replace("1001", number))), SHOPIFY)) == ["#1001"]


def test_what_looks_like_a_formula_stays_text(tmp_path: Path):
    path = written(tmp_path, table(ROW.replace("Desk Lamp", "=HYPERLINK(1)")))
    assert orders_of(path)["1001"].lines[0].name == "=HYPERLINK(1)"


# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ORDER),
        json.dumps({"order": ORDER}),
        json.dumps([ORDER]),
        json.dumps({"orders": [ORDER]}),
        json.dumps({"page": 1, "orders": [ORDER], "meta": {"x": [1, {"y": 2}]}}),
        json.dumps(ORDER) + "\n" + json.dumps({**ORDER, "id": "1002"}) + "\n",
        json.dumps({"orders": []}) + json.dumps([ORDER]),
        "\r\n\t " + json.dumps(ORDER, indent=4),
    ],
)
def test_orders_are_found_however_a_file_holds_them(tmp_path: Path, text: str):
    assert "1001" in orders_of(written(tmp_path, text.encode()))


def test_a_value_is_read_whole_wherever_a_read_of_the_file_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    orders = [{**ORDER, "id": str(number), "total": 12345.67} for number in range(1, 40)]
    path = written(tmp_path, {"orders": orders})
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr("store.importing.json_stream._CHUNK", size)
        found = orders_of(path)
        assert list(found) == [order["id"] for order in orders]
        assert {order.total_minor for order in found.values()} == {1234567}


def test_a_long_file_with_sections_is_not_held_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("store.importing.json_stream._SMALL", 500)
    monkeypatch.setattr("store.importing.json_stream._CHUNK", 100)
    path = written(
        tmp_path, {"meta": {"a": 1}, "orders": [{**ORDER, "id": str(number)} for number in range(50)]}
    )
    assert len(orders_of(path)) == 50


def test_a_record_beyond_any_order_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("store.importing.json_stream.LARGEST", 2000)
    monkeypatch.setattr("store.importing.json_stream._SMALL", 500)
    monkeypatch.setattr("store.importing.json_stream._CHUNK", 100)
    with pytest.raises(FileRefused, match="a record of at most 2000 characters"):
        taken(written(tmp_path, {"orders": [{**ORDER, "gift_note": "x" * 9000}]}))


def test_a_price_as_a_number_is_never_a_float(tmp_path: Path):
    text = json.dumps(ORDER).replace('"49.99"', "1234567890.12")
    assert orders_of(written(tmp_path, text.encode()))["1001"].total_minor == 123456789012


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999999999999", "9" * 5000])
def test_a_number_that_is_no_amount_is_told(tmp_path: Path, number: str):
    text = json.dumps(ORDER).replace('"total": "49.99"', f'"total": {number}')
    (problem,) = problems_of(written(tmp_path, text.encode()))
    assert problem.endswith("expected an amount that a shop could charge.")
    assert len(problem) < 200


def test_a_key_that_stands_there_twice_is_told(tmp_path: Path):
    text = json.dumps({"orders": [ORDER]}).replace('"status"', '"total": "0.01", "status"')
    assert problems_of(written(tmp_path, text.encode())) == [
        "orders, orders[0] (line 1), total: the key stands there twice; expected it once."
    ]


def test_what_is_no_object_among_the_orders_is_told_by_its_place(tmp_path: Path):
    _, problems = taken(written(tmp_path, {"orders": [ORDER, 7, "x", None, [ORDER]]}))
    assert [problem.partition("; ")[0] for problem in problems] == [
        "orders.json, orders[1] (line 1): 7",
        "orders.json, orders[2] (line 1): 'x'",
        "orders.json, orders[3] (line 1): nothing",
        "orders.json, orders[4] (line 1): a list",
    ]


def test_a_file_without_records_says_so(tmp_path: Path):
    from store.importing.taking import open_file

    for content in ({"orders": []}, []):
        assert open_file(written(tmp_path, content), Options()).told == ("orders.json holds no records.",)
