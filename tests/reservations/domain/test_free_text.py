import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.free_text import why_not_kept


@pytest.mark.parametrize("bad", ["\x00", "\x1b", "\x7f", "\x85", "\ud800"])
def test_a_control_character_in_any_of_the_texts_is_refused_in_one_sentence(bad: str) -> None:
    said = why_not_kept("fine", f"a{bad}b")
    assert said == "A text can't hold control characters other than tabs and line breaks."


@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))), st.sampled_from(["", "\n", "\r\n", "\t"]))
def test_everything_else_is_kept_as_it_was_written(text: str, between: str) -> None:
    assert why_not_kept(f"{text}{between}{text}") == ""
