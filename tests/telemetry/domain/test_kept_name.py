"""Names that the database could not hold stay apart from each other, and those it can hold stay as they are."""

from hypothesis import example, given
from hypothesis import strategies as st

from telemetry.domain.kept_name import kept_name, kept_text

names = st.text(st.characters(exclude_categories=()), max_size=40)


@given(names, st.integers(12, 40))
@example("a\0", 12)
@example("\ud800", 12)
@example("n" * 40, 12)
def test_a_name_fits_and_is_text_whatever_it_was(name: str, most: int) -> None:
    kept = kept_name(name, most)
    assert len(kept) <= most
    assert "\0" not in kept
    assert kept.encode().decode() == kept
    assert kept_name(kept, most) == kept
    if len(name) <= most and kept_text(name) == name:
        assert kept == name


@given(names, names)
@example("\0", "\ud800")
@example("x" * 39 + "a", "x" * 39 + "b")
def test_two_names_stay_two(one: str, other: str) -> None:
    assert (kept_name(one, 20) == kept_name(other, 20)) == (one == other)
