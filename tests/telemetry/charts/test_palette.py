from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from telemetry.charts.palette import nodes_axis


@given(first=st.integers(0, 200), span=st.integers(1, 100_000), most=st.integers(4, 20))
def test_an_axis_of_nodes_has_its_ticks_at_whole_nodes_and_never_more_than_it_may(first, span, most) -> None:
    drawn = nodes_axis("nodes", first - 0.6, first + span + 0.6, most_ticks=most)
    step = drawn["dtick"]
    assert isinstance(step, int)
    assert drawn["tick0"] == 0
    assert Fraction(span) / step <= most
    assert step == 1 or span + 1.2 > most


def test_few_nodes_have_a_tick_each() -> None:
    assert nodes_axis("nodes", 0.5, 4.5, most_ticks=10)["dtick"] == 1
