"""Up to three saved scenarios beside the one on the page: saved views whose address is a sizing's."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.http import HttpRequest, QueryDict
from django.urls import reverse

from reservations.domain import notation
from reservations.domain.period import UnableToReadTime
from reservations.selectors.saved_views import SavedViewRow, saved_views_of
from reservations.views.asking import zones_on
from scheduler.domain.sizing.prices import UnableToSize
from scheduler.domain.sizing.question import Answer, answer_of
from scheduler.selectors.sizing import PoolFacts
from scheduler.tables.sizing.words import money
from scheduler.views.sizing_asked import COMPARED, FactsOf, SizingQuestion, question_of


@dataclass(frozen=True, slots=True)
class Scenario:
    """A saved scenario that can be put beside this one, or taken away: ``address`` does either."""

    name: str
    address: str
    page: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Column:
    """One scenario's figures in words, in the order of ``Comparison.rows``; ``why`` where it has none."""

    name: str
    page: str
    cells: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``offered`` are the saved scenarios; ``columns`` this one and the chosen ones, empty where none is chosen."""

    offered: tuple[Scenario, ...]
    rows: tuple[str, ...]
    columns: tuple[Column, ...]
    full: bool

    @property
    def lines(self) -> list[tuple[str, list[str]]]:
        """Each row's name with a cell for every column."""
        return [
            (name, [column.cells[place] if column.cells else notation.UNKNOWN for column in self.columns])
            for place, name in enumerate(self.rows)
        ]


ROWS = (
    "pool", "months", "reserved price", "on-demand price", "launches that fail", "break-even", "adjusted break-even",
    "by price", "adjusted", "to hold", "cost of holding that", "mean demand",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chosen:
    """A person's saved scenarios, and those that the address names: what each asks, or why it asks nothing."""

    views: tuple[SavedViewRow, ...]
    wanted: tuple[tuple[SavedViewRow, SizingQuestion | None, str], ...]

    @property
    def questions(self) -> list[SizingQuestion]:
        """What the chosen scenarios ask."""
        return [question for _, question, _ in self.wanted if question is not None]


def chosen_scenarios(request: HttpRequest, asked: SizingQuestion, as_of: datetime) -> Chosen:
    """The saved scenarios, and the first three that the address names."""
    views = tuple(view for view in saved_views_of(user_id=request.user.pk) if _is_sizing(view))
    named = [view for view in views if str(view.id) in asked.several.get("compare", ())][:COMPARED]
    return Chosen(views, tuple((view, *_question(view, request, asked, as_of)) for view in named))


def comparison(asked: SizingQuestion, answer: Answer, chosen: Chosen, facts: Mapping[FactsOf, PoolFacts]) -> Comparison:
    """A column for this question and for each chosen one; ``facts`` are of all their pools and months."""
    wanted = [view for view, _, _ in chosen.wanted]
    ids = [str(view.id) for view in wanted]
    offered = tuple(
        Scenario(view.name, asked.page.split("?")[0] + _toggled(asked, ids, str(view.id)), view.path, view in wanted)
        for view in chosen.views
        if view in wanted or len(wanted) < COMPARED
    )
    columns = [Column("this one", "", _cells(asked, answer))] if wanted else []
    columns += [_column(view, question, why, facts) for view, question, why in chosen.wanted]
    return Comparison(offered, ROWS, tuple(columns), full=len(wanted) == COMPARED)


def _is_sizing(view: SavedViewRow) -> bool:
    return urlsplit(view.path).path == reverse("scheduler:sizing")


def _toggled(asked: SizingQuestion, chosen: list[str], one: str) -> str:
    rest = [other for other in chosen if other != one] if one in chosen else [*chosen, one]
    return asked.address(compare=tuple(rest)) + "#compare"


def _question(
    view: SavedViewRow, request: HttpRequest, asked: SizingQuestion, as_of: datetime
) -> tuple[SizingQuestion | None, str]:
    """What a scenario asks, or why that is no question for this person."""
    query, zone = QueryDict(urlsplit(view.path).query), zones_on(request).accounting
    try:
        return question_of(query, pools=asked.pools, person=asked.person, zone=zone, as_of=as_of), ""
    except LookupError as unable:
        return None, str(unable.args[0])
    except (UnableToSize, UnableToReadTime) as unable:
        return None, str(unable)


def _column(
    view: SavedViewRow, question: SizingQuestion | None, why: str, facts: Mapping[FactsOf, PoolFacts]
) -> Column:
    if question is None:
        return Column(view.name, view.path, (), why)
    known = facts[question.of]
    growth = question.growth(known.growth)
    try:
        answer = answer_of(known.trace, question.given, known.known, growth=growth, manner=question.manner)
    except UnableToSize as unable:
        return Column(view.name, view.path, (), str(unable))
    return Column(view.name, view.path, _cells(question, answer))


def _cells(asked: SizingQuestion, answer: Answer) -> tuple[str, ...]:
    prices, sized = answer.priced.prices, answer.sizing.sized
    held = None if sized is None else sized.to_hold
    cost = None if held is None else answer.sizing.adjusted_cost(held) or answer.sizing.cost(held)
    mean = answer.sizing.mean_nodes
    return (
        asked.pool.name,
        f"{asked.months} to {notation.month(asked.last)}",
        money(prices.reserved, prices.currency),
        money(prices.on_demand, prices.currency),
        notation.percent(prices.shortage.fail_probability if prices.shortage else None),
        notation.percent(prices.break_even),
        notation.percent(prices.adjusted_break_even),
        _nodes(sized.sizes.rule if sized else None),
        _nodes(sized.sizes.adjusted if sized else None),
        _nodes(held),
        notation.UNKNOWN if cost is None else money(cost.total, prices.currency),
        f"{float(mean):.1f} nodes",
    )


def _nodes(value: int | None) -> str:
    return notation.UNKNOWN if value is None else f"{notation.grouped(value)} node{'' if value == 1 else 's'}"
