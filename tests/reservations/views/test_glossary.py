import re
from html import unescape

import pytest

from reservations.domain.glossary import TERMS
from reservations.templatetags import figures
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db


def test_every_term_has_an_anchor_of_its_own_with_its_meaning(cast: Cast, logged_in) -> None:
    page = unescape(logged_in(cast.nobody).get("/glossary/").text)
    found = re.findall(r'<div id="([a-z0-9_]+)"><dt>([^<]+)<code>([a-z0-9_]+)</code></dt><dd>([^<]+?) ?<', page)
    assert [(anchor, name) for anchor, _, name, _ in found] == [(term.name, term.name) for term in TERMS]
    assert [meaning for *_, meaning in found] == [term.meaning for term in TERMS]
    assert len(set(re.findall(r' id="([^"]+)"', page))) == len(re.findall(r' id="([^"]+)"', page))


def test_the_tooltip_of_a_term_leads_to_it() -> None:
    assert 'href="/glossary/#busy"' in figures.term("busy")


def test_a_label_that_somebody_chose_is_escaped_in_a_tooltip() -> None:
    assert "<summary>&lt;b&gt;</summary>" in figures.term("busy", "<b>")
    assert figures.term("no such term", "<b>") == "&lt;b&gt;"


def test_the_keys_stand_there_for_who_has_no_scripts(cast: Cast, logged_in) -> None:
    page = logged_in(cast.nobody).get("/glossary/").content.decode()
    assert '<h2 id="keys">Keys</h2>' in page
    assert "<kbd>g</kbd> <kbd>m</kbd>" in page
