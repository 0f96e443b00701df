"""Sentences in templates: what one types is set apart from what one reads."""

import pytest

from reservations.templatetags.figures import commands


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("Wait for the next sweep.", "Wait for the next sweep."),
        ("Run manage.py apply_config FILE.", "Run <code>manage.py apply_config FILE</code>."),
        (
            "Run manage.py usage --format json, or manage.py load_demo.",
            "Run <code>manage.py usage --format json</code>, or <code>manage.py load_demo</code>.",
        ),
        ("<b>manage.py</b> load_demo", "&lt;b&gt;manage.py&lt;/b&gt; load_demo"),
    ],
)
def test_commands_in_a_sentence_are_set_as_what_one_types_and_all_else_is_escaped(sentence: str, shown: str) -> None:
    assert commands(sentence) == shown
