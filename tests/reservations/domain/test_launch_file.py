from datetime import date

import pytest

from reservations.domain.csv_file import UnableToReadFile
from reservations.domain.launch_file import launch_days

TODAY = date(2026, 6, 1)
HEADER = "day,pool,shape,zone,attempts,failures,source\n"


def faults(text: str) -> list[str]:
    with pytest.raises(UnableToReadFile) as raised:
        launch_days(text.encode(), today=TODAY)
    return [str(fault) for fault in raised.value.faults]


def test_columns_may_stand_in_any_order_and_those_not_needed_be_left_out() -> None:
    (one,) = launch_days(b"attempts,failures,shape,day\n10,3,p5.48xlarge,2026-05-01\n", today=TODAY)
    assert (one.day, one.shape, one.pool, one.zone_id, one.attempts, one.failures) == (
        date(2026, 5, 1), "p5.48xlarge", "", "", 10, 3,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2026-13-01,,p5,,1,0,", "day: “2026-13-01” is not a day: write it as 2026-01-31."),
        ("2026-05-01T00:00,,p5,,1,0,", "day: “2026-05-01T00:00” is not a day: write it as 2026-01-31."),
        ("2026-06-02,,p5,,1,0,", "day: 2026-06-02 is still to come."),
        ("2026-05-01,,,,1,0,", "pool, shape: Name one of them: launches are of one pool or of one shape."),
        ("2026-05-01,a,p5,,1,0,", "pool, shape: Name one of them: launches are of one pool or of one shape."),
        ("2026-05-01,,p5,,1,2,", "failures: 2 failed of 1 attempts: that can't be."),
        ("2026-05-01,,p5,,-1,0,", "attempts: “-1” is not a whole number from 0 to 1000000000."),
        ("2026-05-01,,p5,,1.5,0,", "attempts: “1.5” is not a whole number from 0 to 1000000000."),
        ("2026-05-01,,p5,,1,NaN,", "failures: “NaN” is not a whole number from 0 to 1000000000."),
        ("2026-05-01,,p5,,,0,", "attempts: “” is not a whole number from 0 to 1000000000."),
        ("2026-05-01,,p5,,1,٣,", "failures: “٣” is not a whole number from 0 to 1000000000."),
        ("2026-05-01,," + "p" * 65 + ",,1,0,", "shape: It is too long, or holds what can't be printed."),
    ],
)
def test_what_is_no_count_of_launches_is_refused_in_a_sentence_with_its_line(line: str, said: str) -> None:
    assert faults(f"{HEADER}2026-05-01,,g6,,1,0,\n{line}\n") == [f"Line 3: {said}"]


def test_one_day_of_one_zone_stands_once_and_every_fault_is_told_at_once() -> None:
    told = faults(
        f"{HEADER}2026-05-01,,p5,use1-az4,1,0,\n2026-05-01,,p5,use1-az6,1,0,\n2026-05-01,,p5,use1-az4,2,0,\n"
        "2026-05-02,,p5,,0,1,\n"
    )
    assert told == [
        "Line 4: The shape p5 in use1-az4 on 2026-05-01 stands in line 2 already.",
        "Line 5: failures: 1 failed of 0 attempts: that can't be.",
    ]


def test_a_file_of_another_kind_is_refused_whole() -> None:
    assert faults("")[0].startswith("The file is empty")
    assert "Line 1: The column “failures” is missing." in faults("day,shape,attempts\n")
    assert faults("day,shape,attempts,failure\n2026-05-01,p5,1,0\n")[0] == (
        "Line 1: There is no column “failure”; did you mean “failures”?"
    )
