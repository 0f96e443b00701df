"""What is written at once says what its rows say, and escapes what comes from outside."""

from decimal import Decimal
from html.parser import HTMLParser

from reservations.selectors.pools import PoolRow
from telemetry.tables.by_step import Cell, Row
from telemetry.templatetags.long_lists import pool_options, steps_rows, zone_options


class Read(HTMLParser):
    """The elements with their attributes, and the texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data)


def a_row(**said: object) -> Row:
    cells = (Cell("idle, free", "–", nil=True), Cell("unknown", "3", nil=False))
    told = {"key": "2026-05-09", "label": "9 May", "reserved": "8", "busy_share": "5.0 %", "coverage": "–"}
    return Row(**{**told, "cells": cells, "remarks": ("to date", "2 h missing"), "missing": False, **said})


def test_a_row_has_its_figures_under_their_labels_in_order() -> None:
    read = Read(steps_rows([a_row()], ["/fleet/2026-05/?day=", "#hours"], "unknown"))
    assert read.texts == ["9 May", "8", "–", "3", "5.0 %", "–", "to date; 2 h missing"]
    labels = [attributes["data-label"] for tag, attributes in read.elements if "data-label" in attributes]
    assert labels == ["reserved", "idle, free", "unknown", "busy ÷ reserved", "coverage"]
    classes = [attributes["class"] for tag, attributes in read.elements if tag == "td"][1:3]
    assert classes == ["number step-cell nil", "number step-cell marked"]
    assert ("a", {"href": "/fleet/2026-05/?day=2026-05-09#hours"}) in read.elements


def test_a_row_that_leads_nowhere_has_no_link_and_says_what_it_lacks() -> None:
    missing, running = (Read(steps_rows([row])) for row in (a_row(missing=True), a_row(to_date=True)))
    assert missing.elements[0] == ("tr", {"class": "missing"})
    assert running.elements[0] == ("tr", {"class": "so-far"})
    assert Read(steps_rows([a_row()])).elements[0] == ("tr", {})
    assert all(tag != "a" for tag, _ in missing.elements)


def test_nothing_in_a_row_or_an_address_is_markup() -> None:
    odd = '<script>&"'
    read = Read(steps_rows([a_row(remarks=(odd,), label=odd)], [f"/?owner={odd}&day=", ""]))
    assert [tag for tag, _ in read.elements].count("script") == 0
    assert read.texts[0] == odd
    assert read.texts[-1] == odd
    assert ("a", {"href": f"/?owner={odd}&day=2026-05-09"}) in read.elements


def test_the_pool_that_is_shown_is_the_one_chosen_and_none_where_all_are() -> None:
    pools = [PoolRow(place, name, "", "", Decimal(8), frozenset()) for place, name in enumerate(("a<b", "c"))]
    read = Read(pool_options(pools, "c"))
    assert read.elements == [("option", {"value": "a<b"}), ("option", {"value": "c", "selected": None})]
    assert read.texts == ["a<b", "c"]
    assert all("selected" not in attributes for _, attributes in Read(pool_options(pools, "")).elements)


def test_zones_are_offered_by_their_names() -> None:
    read = Read(zone_options(("Asia/Kolkata", "Europe/Berlin")))
    assert read.elements == [("option", {"value": "Asia/Kolkata"}), ("option", {"value": "Europe/Berlin"})]
