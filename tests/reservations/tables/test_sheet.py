"""One sheet gives the same numbers, days and instants through the CSV and through the workbook."""

import csv
import io
import zipfile
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reservations.tables.reservation_sheets import observations_sheet
from reservations.tables.sheet import Column, Kind, Sheet, sheet_csv, sheet_rows, written
from reservations.tables.workbook import MOST_CELLS, UnableToWriteWorkbook, xlsx_bytes
from reservations.views.reservation_sheets import MOST as MOST_OBSERVED
from telemetry.tables.usage import COLUMNS as USAGE

COLUMNS = (
    Column("pool", "Pool", Kind.TEXT),
    Column("start", "Start", Kind.INSTANT),
    Column("day", "Day", Kind.DAY),
    Column("busy_gpu_hours", "busy", Kind.GPU_HOURS, unit="GPU-hours", term="busy"),
    Column("coverage_share", "coverage", Kind.SHARE, term="coverage"),
    Column("hours_missing", "missing", Kind.COUNT, unit="hours"),
    Column("cost_usd", "cost", Kind.MONEY, unit="USD"),
    Column("final", "final", Kind.YES_NO, term="final"),
    Column("flags", "flags", Kind.FLAGS),
)
EMPTY = (None,) * len(COLUMNS)

texts = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=40)
hostile = st.sampled_from(
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "#N/A", "#REF!", "{=1}", "true", "12"]
)
seconds = st.integers(-2_177_452_800, 7_226_582_400).map(lambda second: datetime.fromtimestamp(second, UTC))
offsets = st.integers(-14 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters)))
numbers = st.decimals(Decimal("-99999999.9999999"), Decimal("99999999.9999999"), places=7)
rows = st.tuples(
    st.none() | texts | hostile,
    st.none() | st.builds(datetime.astimezone, seconds, offsets),
    st.none() | st.dates(date(1900, 3, 1), date(2199, 1, 1)),
    st.none() | numbers,
    st.none() | st.decimals(0, 1, places=9),
    st.none() | st.integers(0, 10**9),
    st.none() | st.decimals(Decimal(-(10**9)), Decimal(10**9), places=6),
    st.none() | st.booleans(),
    st.none() | st.lists(st.sampled_from(["thin", "no_pod_labels"]), unique=True),
)


def sheet(*cells: tuple[object, ...], about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    return Sheet("days", "Days of May", COLUMNS, cells, about)


def read_back(of: Sheet) -> list[list[object]]:
    page = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(of))).worksheets[0]
    return [
        list(row)
        for row in page.iter_rows(min_row=2, max_row=len(of.rows) + 1, max_col=len(of.columns), values_only=True)
    ]


def xml_cells(of: Sheet) -> list[ET.Element]:
    with zipfile.ZipFile(io.BytesIO(xlsx_bytes(of))) as book:
        tree = ET.fromstring(book.read("xl/worksheets/sheet1.xml"))
    return list(tree.iter("{http://schemas.openxmlformats.org/spreadsheetml/2006/main}c"))


def in_utc(at: datetime | None) -> datetime | None:
    return None if at is None else at.astimezone(UTC).replace(tzinfo=None)


@given(st.lists(rows, max_size=4))
@example([EMPTY])
def test_numbers_and_times_come_back_from_the_workbook_as_they_went_in(cells: list[tuple[object, ...]]) -> None:
    back = read_back(sheet(*cells)) if cells else []
    for told, row in zip(back, cells, strict=True):
        assert told[1] == in_utc(row[1])
        assert told[2] == (None if row[2] is None else datetime.combine(row[2], datetime.min.time()))
        for place in (3, 4, 5, 6):
            assert type(told[place]) in (int, float, type(None))
            assert told[place] == (None if row[place] is None else float(row[place]))
        assert told[7] is row[7]
        assert told[8] == (" ".join(row[8]) if row[8] else None)


@given(st.lists(rows, max_size=4))
def test_every_digit_and_instant_comes_back_from_the_csv(cells: list[tuple[object, ...]]) -> None:
    header, *back = csv.reader(io.StringIO(sheet_csv(sheet(*cells)), newline=""))
    assert header == [column.name for column in COLUMNS]
    for told, row in zip(back, cells, strict=True):
        assert (datetime.fromisoformat(told[1]) if told[1] else None) == row[1]
        assert told[1] == "" or datetime.fromisoformat(told[1]).utcoffset() == timedelta(0)
        assert (date.fromisoformat(told[2]) if told[2] else None) == row[2]
        for place in (3, 4, 5, 6):
            assert (Decimal(told[place]) if told[place] else None) == row[place]
        assert told[7] == {None: "", True: "true", False: "false"}[row[7]]


@given(texts | hostile)
@example('=HYPERLINK("http://x")')
@example("a\x00b\x0bc\x1f\ufffe")
@example("_x003D_1")
@example("＝1+1")
@example("\n=1+1")
@example("x" * 40_000)
def test_a_text_stays_a_text_whatever_it_begins_with(text: str) -> None:
    told = sheet((text, *EMPTY[1:]), about=((text, text),))
    assert [cell.get("t") for cell in xml_cells(told)] == ["inlineStr"] * (len(COLUMNS) + 1)
    with zipfile.ZipFile(io.BytesIO(xlsx_bytes(told))) as book:
        pages = [ET.fromstring(book.read(f"xl/worksheets/sheet{number}.xml")) for number in (1, 2)]
    assert not [
        page for page in pages if list(page.iter("{http://schemas.openxmlformats.org/spreadsheetml/2006/main}f"))
    ]
    (cell,) = next(csv.reader(io.StringIO(sheet_csv(sheet((text, *EMPTY[1:]))).split("\n", 1)[1], newline="")))[:1]
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
    assert cell.removeprefix("'") == text.removeprefix("'")


def test_a_text_in_the_workbook_loses_only_what_xml_cannot_hold() -> None:
    assert (
        read_back(sheet(("=1+1\x00 é\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"), *EMPTY[1:])))[0][
            0
        ]
        == "=1+1 é😀"
    )
    assert len(str(read_back(sheet(("x" * 40_000, *EMPTY[1:])))[0][0])) == 32_767


def test_a_day_before_excels_calendar_is_written_as_text() -> None:
    early = sheet((None, datetime(1899, 12, 31, 23, tzinfo=UTC), date(1900, 2, 28), *EMPTY[3:]))
    assert read_back(early)[0][1:3] == ["1899-12-31T23:00:00+00:00", "1900-02-28"]


def test_the_workbook_says_what_its_figures_are_of() -> None:
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(sheet(about=(("Period", "May 2026"), ("Asked by", "=ada"))))))
    figures, about = book.worksheets
    assert (figures.title, about.title, figures.freeze_panes) == ("Days of May", "About", "A2")
    assert [cell.value for cell in figures[1]] == [
        "Pool", "Start (UTC)", "Day", "busy (GPU-hours)", "coverage", "missing (hours)", "cost (USD)", "final", "flags",
    ]  # fmt: skip
    told = {row[0]: row[1] for row in about.iter_rows(values_only=True)}
    assert told["Period"] == "May 2026"
    assert told["Asked by"] == "=ada"
    assert told["busy"] == "busy_gpu_hours"
    assert told["Instants"] == "in UTC"


@pytest.mark.parametrize("title", ["", "About", "history", "a/b:c*d?[e]", "'quoted'", "x" * 60, "\x00"])
def test_any_title_becomes_a_name_that_excel_takes(title: str) -> None:
    name = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(Sheet("x", title, COLUMNS, ())))).worksheets[0].title
    assert 0 < len(name) <= 31
    assert not set(name) & set("[]:*?/\\")


def test_formats_show_shares_as_per_cent_and_money_with_cents() -> None:
    row = ("p", None, None, Decimal("1.25"), Decimal("0.5"), 1000, Decimal("12.3456"), True, [])
    page = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(sheet(row)))).worksheets[0]
    assert [page.cell(2, place).number_format for place in (4, 5, 6, 7)] == ["#,##0.00", "0.0%", "#,##0", "#,##0.00"]
    assert page.cell(2, 7).value == 12.3456


def test_a_sheet_that_is_too_long_for_a_workbook_is_refused_in_one_sentence() -> None:
    long = sheet(*[EMPTY] * (MOST_CELLS // len(COLUMNS) + 1))
    with pytest.raises(UnableToWriteWorkbook, match="11\u202f112 rows and a workbook takes 11\u202f111 of them"):
        xlsx_bytes(long)
    assert sheet_csv(long).count("\n") == len(long.rows) + 1


def test_a_month_of_hours_fits_into_a_workbook_whatever_it_is_of() -> None:
    assert 31 * 24 * len(USAGE) <= MOST_CELLS // 4
    assert MOST_OBSERVED * len(observations_sheet([]).columns) <= MOST_CELLS


def test_a_page_writes_each_kind_as_people_read_it() -> None:
    at = datetime(2026, 5, 9, 13, tzinfo=UTC)
    row = ("p", at, date(2026, 5, 9), Decimal("1234.5"), Decimal("0.1234"), 1000, Decimal("12.345"), False, ["a", "b"])
    told = [written(value, column, ZoneInfo("Asia/Kolkata")) for value, column in zip(row, COLUMNS, strict=True)]
    assert told == [
        "p", "9 May 2026, 18:30 Asia/Kolkata", "9 May 2026", "1\u202f234", "12.3\u202f%", "1\u202f000", "12.34", "no",
        "a, b",
    ]  # fmt: skip
    assert {written(None, column) for column in COLUMNS} == {"–"}


def test_rows_by_name_keep_the_columns_order() -> None:
    assert [list(row) for row in sheet_rows(sheet(EMPTY))] == [[column.name for column in COLUMNS]]
