"""A CSV file of reservations: read whole, and refused with the line that is at fault."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.manual_entry import FIELDS
from reservations.domain.reservation_file import MOST_BYTES, MOST_LINES, UnableToReadFile, file_lines

HEADER = "provider,id,instance_type,instances,start"
LINE = "gcp,one,a3,4,2026-05-01"


def faults(data: str | bytes) -> list[str]:
    with pytest.raises(UnableToReadFile) as raised:
        file_lines(data.encode() if isinstance(data, str) else data)
    return [str(fault) for fault in raised.value.faults]


def test_lines_are_counted_as_an_editor_counts_them() -> None:
    lines = file_lines(f'{HEADER},resizes\n\ngcp,one,a3,4,2026-05-01,"2026-06-01 3\n2026-07-01 4"\n{LINE},\n'.encode())
    assert [line.number for line in lines] == [3, 5]
    assert lines[0].texts["resizes"] == "2026-06-01 3\n2026-07-01 4"


def test_a_byte_order_mark_and_line_ends_of_windows_and_columns_in_any_order_are_read() -> None:
    data = "\ufeffID,Provider,start,instances,instance_type\r\none,gcp,2026-05-01,4,a3\r\n".encode()
    assert file_lines(data)[0].texts["id"] == "one"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (HEADER, "no reservation"),
        (HEADER.replace(",", ";") + "\n" + LINE, "Line 1: The columns are divided by semicolons"),
        (HEADER.replace(",", "\t"), "divided by tabs"),
        (f"{HEADER},colour\n{LINE},red", "Line 1: There is no column “colour”"),
        (f"{HEADER},instence\n{LINE},red", "did you mean “instances”?"),
        (f"{HEADER},id\n{LINE},x", "stands twice"),
        (f"provider,id\n{LINE}", "“instance_type” is missing"),
        (f"{HEADER}\n{LINE},extra", "Line 2: It has 6 cells where the header has 5"),
        (f'{HEADER}\ngcp,"one,a3', "no CSV"),
        (
            f"{HEADER}\n{LINE}\ngcp,dr\xf6hn,a3,4,2026-05-01".encode("latin-1"),
            "Line 3: It holds bytes that are not UTF-8",
        ),
        (f"{HEADER}\n{LINE}".encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04rest", "workbook"),
        (f"{HEADER}\n{LINE}\0", "no text"),
        (f"{HEADER}\n" + f"{LINE}\n" * (MOST_LINES + 1), f"may have {MOST_LINES}"),
        (b"x" * (MOST_BYTES + 1), f"has more than {MOST_BYTES // 1024} kB: divide it"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(data: str | bytes, says: str) -> None:
    assert any(says in fault for fault in faults(data))


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: f"{HEADER}\n{text}".encode("utf-8", "replace")))
def test_no_bytes_whatever_break_the_reading(data: bytes) -> None:
    try:
        lines = file_lines(data)
    except UnableToReadFile:
        return
    assert all(set(line.texts) <= set(FIELDS) for line in lines)
