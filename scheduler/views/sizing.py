"""The sizing page: how many nodes to hold, what every other size costs, and what if."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from reservations.domain import notation
from reservations.domain.access import Action, may
from reservations.domain.period import UnableToReadTime
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from reservations.views.downloads import FORMS, sheet_response
from scheduler.domain.sizing.prices import UnableToSize
from scheduler.domain.sizing.question import Answer, answer_of
from scheduler.selectors.sizing import PoolAsked, PoolFacts, facts_of, pool_facts
from scheduler.tables.sizing.sheets import SHEETS, About, sizing_sheet
from scheduler.tables.sizing.words import fixed_words, headline, key_facts
from scheduler.views.sizing_asked import FactsOf, SizingQuestion, command_text, question_of, tidied
from scheduler.views.sizing_compared import chosen_scenarios, comparison
from scheduler.views.sizing_controls import controls
from scheduler.views.sizing_figures import sheet_address, sizing_figures


@require_safe
@vary_on_headers("HX-Request", "HX-Boosted")
@answers_plainly
def sizing(request: HttpRequest) -> HttpResponse:
    """``/sizing/?pool=serve-h100&month=2026-11&months=3&reserved=62&fail_probability=0.1&…``; htmx gets the answer."""
    as_of = timezone.now()
    pools = _pools(request)
    if not pools:
        return render(request, "scheduler/sizing/no_pools.html", {"section": "sizing", "any_pool": bool(pool_rows())})
    asked = _asked(request, pools, as_of)
    chosen = chosen_scenarios(request, asked, as_of)
    known = _facts([asked, *chosen.questions], as_of)
    facts = known[asked.of]
    asked = tidied(asked, facts.trace.by_workload)
    context = {
        "section": "sizing",
        "question": asked,
        "zone": zones_on(request).seen,
        **_told(request, asked, facts),
    }
    if "answer" in context:
        context["compared"] = comparison(asked, context["answer"], chosen, known)
    if request.htmx and not request.htmx.boosted:
        response = render(request, "scheduler/sizing/answer.html", context)
        response["HX-Push-Url"] = asked.page
        return response
    context["controls"] = controls(asked, facts, as_of, zones_on(request).accounting)
    return render(request, "scheduler/sizing/page.html", context)


@require_safe
@answers_plainly
def sizing_download(request: HttpRequest, sheet: str, suffix: str) -> HttpResponse:
    """``/sizing/curve.csv``, ``/sizing/regret.xlsx``, with the page's own query: the same figures, every digit."""
    if sheet not in SHEETS:
        raise UnableToAnswer(404, "No such table", f"There is no table “{sheet[:40]}” of a size: {', '.join(SHEETS)}.")
    as_of = timezone.now()
    pools = _pools(request)
    if not pools:
        raise UnableToAnswer(404, "No pool", "There is no pool that you may see.")
    asked = _asked(request, pools, as_of)
    facts = pool_facts(pool=asked.pool, period=asked.period, as_of=as_of, prices=asked.sees_prices)
    asked = tidied(asked, facts.trace.by_workload)
    if why := why_nothing(asked, facts):
        raise UnableToAnswer(404, "Nothing to size", why)
    answer = answered(asked, facts)
    about = about_of(request, asked, answer)
    stem = f"moorage-sizing-{asked.pool.name}-{asked.last:%Y-%m}-{sheet}"
    return sheet_response(sizing_sheet(sheet, answer, pool=asked.pool.name, about=about), suffix, stem)


def answered(asked: SizingQuestion, facts: PoolFacts) -> Answer:
    """The answer to a question; UnableToAnswer for what can't be sized."""
    try:
        return answer_of(facts.trace, asked.given, facts.known, growth=asked.growth(facts.growth), manner=asked.manner)
    except UnableToSize as unable:
        raise UnableToAnswer(422, "That cannot be sized", _sentence(unable)) from unable


def why_nothing(asked: SizingQuestion, facts: PoolFacts) -> str:
    """Why there is no size at all, in a sentence; blank where one can be asked for."""
    if not facts.trace.hours:
        return f"The ledger has no hour of demand of {asked.pool.name} in these months."
    given = asked.given
    if None not in (given.on_demand, given.reserved):
        return ""
    if not asked.sees_prices:
        return "Your role does not include prices, so nothing can be weighed against them."
    lacking = [
        name
        for name, said in (("on_demand", given.on_demand), ("reserved", given.reserved))
        if said is None and name not in {kind.value for kind in facts.known.prices}
    ]
    words = " and no ".join(name.replace("_", "-") for name in lacking)
    day = notation.day(asked.last_day)
    return f"The price book has no {words} price of {asked.pool.name} on {day}." if lacking else ""


def about_of(request: HttpRequest, asked: SizingQuestion, answer: Answer) -> About:
    """What a downloaded sheet is of."""
    prices = answer.priced.prices
    return (
        ("pool", asked.pool.name),
        ("from", notation.instant(answer.sizing.start)),
        ("to", notation.instant(answer.sizing.end)),
        ("on demand", f"{prices.on_demand:f} {prices.currency} a node-hour"),
        ("reserved", f"{prices.reserved:f} {prices.currency} a node-hour"),
        ("prices", answer.priced.source),
        ("shortage", answer.priced.shortage_source or "not known"),
        ("user", person_on(request).name),
    )


def _told(request: HttpRequest, asked: SizingQuestion, facts: PoolFacts) -> dict[str, Any]:
    if why := why_nothing(asked, facts):
        return {"why": why, "what_next": _what_next(asked, facts)}
    answer = answered(asked, facts)
    return {
        "answer": answer,
        "headline": headline(answer),
        "fixed": fixed_words(answer),
        "figures": sizing_figures(answer, asked, about_of(request, asked, answer)),
        "facts": key_facts(answer),
        "files": {suffix: sheet_address(asked, "summary", suffix) for suffix in FORMS},
        "command": command_text(asked),
    }


def _facts(questions: Iterable[SizingQuestion], as_of: datetime) -> dict[FactsOf, PoolFacts]:
    """The facts of every question, pools and months that several ask about read once."""
    wanted = {one.of: PoolAsked(one.pool, one.period, one.sees_prices) for one in questions}
    return dict(zip(wanted, facts_of(list(wanted.values()), as_of=as_of), strict=True))


def _what_next(asked: SizingQuestion, facts: PoolFacts) -> str:
    if not facts.trace.hours:
        return "Choose other months, or import its demand: manage.py import_trace FILE --pool NAME."
    if not asked.sees_prices:
        return "Give both prices under “Prices” to size with your own, or ask for a role that includes them."
    return "Give both prices under “Prices”, or enter a quote in the price book."


def _pools(request: HttpRequest) -> tuple[PoolRow, ...]:
    person = person_on(request)
    return tuple(pool for pool in pool_rows() if may(person, Action.SEE_POOL, pool.teams))


def _asked(request: HttpRequest, pools: tuple[PoolRow, ...], as_of: datetime) -> SizingQuestion:
    zone = zones_on(request).accounting
    try:
        return question_of(request.GET, pools=pools, person=person_on(request), zone=zone, as_of=as_of)
    except LookupError as unable:
        raise UnableToAnswer(404, "No such pool", str(unable.args[0])) from unable
    except (UnableToSize, UnableToReadTime) as unable:
        raise UnableToAnswer(422, "That cannot be sized", _sentence(unable)) from unable


def _sentence(unable: Exception) -> str:
    text = str(unable)
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."
