"""The figures of a sizing: each with its sentence, chart, sheet and where that is downloaded."""

from decimal import Decimal

from django.urls import reverse

from reservations.domain import notation
from reservations.tables.sheet import Sheet
from scheduler.charts.sizing import band as band_chart
from scheduler.charts.sizing import cost as cost_chart
from scheduler.charts.sizing import load as load_chart
from scheduler.domain.sizing.question import Answer
from scheduler.domain.sizing.weeks import NodesBand
from scheduler.tables.sizing.sheets import About, sizing_sheet
from scheduler.tables.sizing.shown import regret_shown, sensitivity_shown
from scheduler.tables.sizing.words import band_words, cost_words, load_words, regret_words, sensitivity_words
from scheduler.views.sizing_asked import SizingQuestion
from telemetry.views.figures.figure import Figure

NO_BAND = "There are not two whole weeks to draw from."
NO_TERMS = "It is not known how often launches fail and what that costs."
GIVE_TERMS = "Say both under “If launches fail”, or record them for the pool."


def sizing_figures(answer: Answer, question: SizingQuestion, about: About) -> dict[str, Figure]:
    """Load-duration, and where there is a size also cost, regret, sensitivity and band."""
    found = {"load": _load(answer, question, about)}
    if answer.sizing.sized is not None:
        for name, figure in (("cost", _cost), ("regret", _regret), ("sensitivity", _sensitivity), ("band", _band)):
            found[name] = figure(answer, question, about)
    return found


def sheet_address(question: SizingQuestion, sheet: str, suffix: str) -> str:
    """Where a sheet of the same question is downloaded."""
    return reverse("scheduler:sizing-sheet", args=[sheet, suffix]) + question.address(compare=None)


def _made(name: str, title: str, sheet: Sheet, question: SizingQuestion, **more: object) -> Figure:
    files = {suffix: sheet_address(question, sheet.name, suffix) for suffix in ("csv", "xlsx")}
    pool = question.pool.name
    stem = f"moorage-sizing-{pool}-{name}"
    return Figure(name=name, title=title, sheet=sheet, about=pool, file=stem, **files, **more)  # type: ignore[arg-type]


def _most(answer: Answer) -> int:
    current = answer.sizing.asked.choices.current or 0
    held = answer.sizing.sized.to_hold if answer.sizing.sized else 0
    return max(answer.sizing.curve.peak, current, held, 1)


def break_evens(answer: Answer) -> tuple[tuple[str, Decimal], ...]:
    """Both lines by name, the adjusted one where q and L are known."""
    prices = answer.priced.prices
    adjusted = prices.adjusted_break_even
    also = () if adjusted is None else (("adjusted", adjusted),)
    return (("break-even", prices.break_even), *also)


def _load(answer: Answer, question: SizingQuestion, about: About) -> Figure:
    sizing = answer.sizing
    return _made(
        "load", "How many nodes were needed", sizing_sheet("curve", answer, about=about), question,
        summary=load_words(answer),
        label="Load-duration curve with the break-even",
        chart=load_chart.figure(
            sizing.curve,
            most=_most(answer),
            lines=break_evens(answer),
            proposed=sizing.sized.to_hold if sizing.sized else None,
            current=sizing.asked.choices.current,
        ),
        shape="chart-size",
        term="load_duration_curve",
        term_label="load-duration curve",
    )  # fmt: skip


def _cost(answer: Answer, question: SizingQuestion, about: About) -> Figure:
    sizing, sized = answer.sizing, answer.sizing.sized
    assert sized is not None  # nosec B101
    prices = sizing.asked.prices
    shortage = (("cost-shortage", "expected shortage"),) if prices.shortage else ()
    return _made(
        "cost", "What every size costs", sizing_sheet("curve", answer, about=about), question,
        summary=cost_words(answer),
        label="Cost of every number of nodes held",
        chart=cost_chart.figure(
            sizing.hours.costs(until=_most(answer)),
            currency=prices.currency,
            hours=sizing.curve.hours,
            plateau=sized.sizes.adjusted_plateau or sized.sizes.plateau,
            proposed=sized.to_hold,
            current=sizing.asked.choices.current,
        ),
        key=(("cost-reserved", "reserved"), ("cost-overflow", "overflow on demand"), *shortage),
        shape="chart-size",
        term="overflow",
        term_label="overflow",
    )  # fmt: skip


def _regret(answer: Answer, question: SizingQuestion, about: About) -> Figure:
    sheet = sizing_sheet("regret", answer, about=about)
    return _made(
        "regret", sheet.title, sheet, question,
        summary=regret_words(answer), twin=regret_shown(answer), term="regret", term_label="regret",
    )  # fmt: skip


def _sensitivity(answer: Answer, question: SizingQuestion, about: About) -> Figure:
    sheet = sizing_sheet("sensitivity", answer, about=about)
    known = bool(sheet.rows)
    return _made(
        "sensitivity", sheet.title, sheet, question,
        summary=sensitivity_words(answer), twin=sensitivity_shown(answer),
        why_empty="" if known else NO_TERMS, what_next="" if known else GIVE_TERMS,
    )  # fmt: skip


def _band(answer: Answer, question: SizingQuestion, about: About) -> Figure:
    sheet = sizing_sheet("band", answer, about=about)
    sized = answer.sizing.sized
    drawn = sized.band if sized else None
    if drawn is None:
        return _made("band", sheet.title, sheet, question, summary="", why_empty=NO_BAND)
    band: NodesBand = drawn.adjusted or drawn.rule
    return _made(
        "band", sheet.title, sheet, question,
        summary=band_words(answer),
        label="How many draws came to each size",
        chart=band_chart.figure(band, drawn.draws),
        shape="chart-band",
        term="bootstrap_band",
        term_label=f"band over {notation.grouped(drawn.weeks)} weeks",
    )  # fmt: skip
