from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from telemetry.tables.spark import HEIGHT, WIDTH, spark

SHARES = st.lists(st.one_of(st.none(), st.decimals(-1, 2, places=4)), max_size=24)


def plain(words: str) -> str:
    return words.replace("\u202f", " ")


def test_a_month_nobody_knows_breaks_the_line_and_is_never_zero() -> None:
    drawn = spark([Decimal("0.5"), Decimal("0.6"), None, Decimal("0.7")])
    assert len(drawn.lines) == 1
    assert len(drawn.lines[0].split(" ")) == 2
    assert len(drawn.dots) == 1
    assert drawn.last == drawn.dots[0]


def test_the_running_month_stands_apart_from_the_line() -> None:
    drawn = spark([Decimal("0.5"), Decimal("0.6")], to_date=Decimal("0.1"))
    assert len(drawn.lines[0].split(" ")) == 2
    assert drawn.to_date is not None
    assert drawn.to_date[0] > drawn.last[0]


def test_the_words_name_span_last_and_to_date() -> None:
    said = spark([Decimal("0.61"), None, Decimal("0.75"), Decimal("0.702")], to_date=Decimal("0.66")).words
    assert plain(said) == "3 full months: 61.0 % to 75.0 %, last 70.2 %; to date 66.0 %"
    assert spark([None, None]).words == "Not known in any full month"
    assert plain(spark([Decimal("0.5")]).words) == "1 full month: last 50.0 %"


@given(SHARES)
def test_every_known_share_is_one_point_inside_the_plane(shares: list[Decimal | None]) -> None:
    drawn = spark(shares)
    points = [point.split(",") for line in drawn.lines for point in line.split(" ")] + [list(dot) for dot in drawn.dots]
    assert len(points) == sum(share is not None for share in shares)
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in points)


@given(st.decimals(0, 1, places=3), st.decimals(0, 1, places=3))
def test_more_is_higher(one: Decimal, other: Decimal) -> None:
    low, high = sorted((one, other))
    first, second = spark([low, high]).lines[0].split(" ")
    assert float(first.split(",")[1]) >= float(second.split(",")[1])
