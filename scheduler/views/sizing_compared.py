"""Up to three saved scenarios beside the one on the page: saved views whose address is a sizing's."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.http import HttpRequest, QueryDict
from django.urls import reverse

from reservations.domain import notation
from reservations.domain.period import Period, UnableToReadTime
from reservations.selectors.saved_views import SavedViewRow, saved_views_of
from reservations.views.asking import person_on, zones_on
from scheduler.domain.sizing.prices import UnableToSize
from scheduler.domain.sizing.question import Answer, answer_of
from scheduler.selectors.sizing import PoolFacts, pool_facts
from scheduler.tables.sizing.words import money
from scheduler.views.sizing_asked import COMPARED, SizingQuestion, question_of


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


Facts = dict[tuple[int, Period], PoolFacts]

ROWS = (
    "pool", "months", "reserved price", "on-demand price", "launches that fail", "break-even", "adjusted break-even",
    "by price", "adjusted", "to hold", "cost of holding that", "mean demand",
)  # fmt: skip


def comparison(
    request: HttpRequest, asked: SizingQuestion, answer: Answer, facts: PoolFacts, as_of: datetime
) -> Comparison:
    """The saved scenarios, and a column for each of up to three that the address names."""
    views = [view for view in saved_views_of(user_id=request.user.pk) if _is_sizing(view)]
    wanted = [view for view in views if str(view.id) in asked.several.get("compare", ())][:COMPARED]
    chosen = [str(view.id) for view in wanted]
    offered = tuple(
        Scenario(view.name, asked.page.split("?")[0] + _toggled(asked, chosen, str(view.id)), view.path, view in wanted)
        for view in views
        if view in wanted or len(wanted) < COMPARED
    )
    known = {(asked.pool.id, asked.period): facts}
    columns = (
        (
            Column("this one", "", _cells(asked, answer)),
            *(_column(view, request, asked, as_of, known) for view in wanted),
        )
        if wanted
        else ()
    )
    return Comparison(offered, ROWS, columns, full=len(wanted) == COMPARED)


def _is_sizing(view: SavedViewRow) -> bool:
    return urlsplit(view.path).path == reverse("scheduler:sizing")


def _toggled(asked: SizingQuestion, chosen: list[str], one: str) -> str:
    rest = [other for other in chosen if other != one] if one in chosen else [*chosen, one]
    return asked.address(compare=tuple(rest)) + "#compare"


def _column(view: SavedViewRow, request: HttpRequest, asked: SizingQuestion, as_of: datetime, known: Facts) -> Column:
    """One scenario; pools and months that another one has are not read again."""
    query = QueryDict(urlsplit(view.path).query)
    try:
        other = question_of(
            query, pools=asked.pools, person=person_on(request), zone=zones_on(request).accounting, as_of=as_of
        )
        key = (other.pool.id, other.period)
        if key not in known:
            known[key] = pool_facts(pool=other.pool, period=other.period, as_of=as_of, prices=other.sees_prices)
        facts = known[key]
        answer = answer_of(
            facts.trace, other.given, facts.known, growth=other.growth(facts.growth), manner=other.manner
        )
    except LookupError as unable:
        return Column(view.name, view.path, (), str(unable.args[0]))
    except (UnableToSize, UnableToReadTime) as unable:
        return Column(view.name, view.path, (), str(unable))
    return Column(view.name, view.path, _cells(other, answer))


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
