"""The further figures of a month, each under the name that pages and downloads find it by."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from django.urls import reverse

from reservations.domain import notation
from telemetry.tables.by_month import NAME as BY_MONTH
from telemetry.tables.by_month import TITLE as WORTH_TITLE
from telemetry.tables.double_pay import NAME as DOUBLE_PAY
from telemetry.tables.double_pay import TITLE as DOUBLE_TITLE
from telemetry.tables.held_idle import NAME as HELD_IDLE
from telemetry.tables.held_idle import TITLE as IDLE_TITLE
from telemetry.tables.lending import NAME as LENDING
from telemetry.tables.lending import PAIRS
from telemetry.tables.lending import TITLE as LENDING_TITLE
from telemetry.tables.load_duration import NAME as LOAD_DURATION
from telemetry.tables.load_duration import TITLE as LOAD_TITLE
from telemetry.tables.savings import NAME as SAVINGS
from telemetry.tables.savings import TITLE as SAVINGS_TITLE
from telemetry.tables.split import BY_TEAM, BY_WORKLOAD
from telemetry.tables.split import TITLES as SPLIT_TITLES
from telemetry.tables.week import NAME as WEEK
from telemetry.tables.week import TITLE as WEEK_TITLE
from telemetry.views.figures.by_month import worth_by_month
from telemetry.views.figures.double_pay import instances_paid_twice
from telemetry.views.figures.figure import Figure
from telemetry.views.figures.held_idle import pods_held_idle
from telemetry.views.figures.lending import lent_and_borrowed, lent_to_whom
from telemetry.views.figures.load_duration import load_curve
from telemetry.views.figures.material import Material
from telemetry.views.figures.savings import what_reserving_saved
from telemetry.views.figures.split import used_by_team, used_by_workload
from telemetry.views.figures.week import hour_of_week

__all__ = ["FIGURES", "MONEY", "SECTIONS", "Figure", "Material", "figure_named", "figures_of"]

FIGURES: dict[str, Callable[[Material], Figure]] = {
    BY_MONTH: worth_by_month,
    WEEK: hour_of_week,
    LOAD_DURATION: load_curve,
    BY_TEAM: used_by_team,
    BY_WORKLOAD: used_by_workload,
    LENDING: lent_and_borrowed,
    PAIRS: lent_to_whom,
    HELD_IDLE: pods_held_idle,
}
"""In the order in which a page shows them."""

MONEY: dict[str, Callable[[Material], Figure]] = {SAVINGS: what_reserving_saved, DOUBLE_PAY: instances_paid_twice}
"""What is told of money after them, with queries of its own."""

EVERY = FIGURES | MONEY

SECTIONS = {
    BY_MONTH: WORTH_TITLE,
    WEEK: WEEK_TITLE,
    LOAD_DURATION: LOAD_TITLE,
    **SPLIT_TITLES,
    LENDING: LENDING_TITLE,
    HELD_IDLE: IDLE_TITLE,
    SAVINGS: SAVINGS_TITLE,
    DOUBLE_PAY: DOUBLE_TITLE,
}
"""The headings that every page with the figures has."""


def figure_named(name: str, material: Material) -> Figure | None:
    """One figure with its addresses; None where there is none of that name."""
    build = EVERY.get(name)
    return None if build is None else _addressed(build(material), material)


def figures_of(material: Material, names: Iterable[str] = FIGURES) -> dict[str, Figure]:
    """Some figures, by their names as templates can write them: ``hour_of_week``."""
    return {name.replace("-", "_"): _addressed(EVERY[name](material), material) for name in names}


def _addressed(figure: Figure, material: Material) -> Figure:
    asked = material.asked
    whose = asked.pool.name if asked.pool else "All pools"
    return replace(
        figure,
        csv=_address(figure, material, "csv"),
        xlsx=_address(figure, material, "xlsx"),
        about=f"{whose}, {notation.month(asked.month)}",
        file=f"moorage-{asked.pool.name if asked.pool else 'fleet'}-{asked.month:%Y-%m}-{figure.name}",
    )


def _address(figure: Figure, material: Material, suffix: str) -> str:
    """Where the sheet is downloaded, with the filters of the page."""
    asked, kept = material.asked, material.request.GET.copy()
    for key in ("day", "step"):
        kept.pop(key, None)
    parts = {"month": f"{asked.month:%Y-%m}", "sheet": figure.name, "suffix": suffix}
    if asked.pool is not None:
        address = reverse("telemetry:pool-sheet", kwargs={"name": asked.pool.name, **parts})
    else:
        address = reverse("telemetry:fleet-sheet", kwargs=parts)
    return f"{address}?{kept.urlencode()}" if kept else address
