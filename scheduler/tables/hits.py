"""What a search found, by kind: each hit with where it leads and a few words about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from reservations.domain.glossary import TERMS
from reservations.selectors.pools import PoolRow

A_GROUP = 8
"""How many hits of a kind are shown: who needs more names it more closely."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One hit; ``page`` and ``of`` name the address it leads to, ``anchor`` the place on it."""

    label: str
    words: str
    page: str
    of: tuple[tuple[str, object], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    anchor: str = ""
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """The hits of one kind; ``more`` says that there are others."""

    title: str
    hits: tuple[Hit, ...]
    more: bool = False


PAGES = (
    ("Attention", "what needs a decision or a look, and every pool", "scheduler:attention"),
    ("Month of the fleet", "all pools together, utilization, waterfall", "telemetry:fleet-now"),
    ("Reservations", "list of what is held, until when, by whom", "reservations:list"),
    ("Timeline of reservations", "terms, ends and decision dates", "reservations:timeline"),
    ("Sizing", "how many nodes to hold, break-even, cost of every size, what if", "scheduler:sizing"),
    ("Allocator", "which GPU runs which job when: plans, grids, FIFO beside them", "scheduler:allocator"),
    ("Allocator benchmark", "gap to the best possible, value over FIFO, latency", "scheduler:allocator-benchmark"),
    ("Alerts", "what is wrong now, most pressing first: acknowledge, snooze, assign, resolve", "scheduler:alerts"),
    ("Rules of alerts", "when each fires, thresholds and who set them otherwise", "scheduler:alert-rules"),
    ("Your notifications", "addresses of your own that alerts come to", "scheduler:notifications"),
    ("Delivery log", "which message went to whom, and what became of it", "scheduler:alert-deliveries"),
    ("Exceptions", "what waits for your approval, every request, new ones", "scheduler:exceptions"),
    (
        "Purchases and approvals",
        "bought as approved, otherwise, not at all, unapproved",
        "scheduler:exception-purchases",
    ),
    ("Procurement rule", "what is reserved, who may approve what, versions", "reservations:procurement"),
    ("Delegations", "authority to approve, lent for a time", "reservations:delegations"),
    ("Data health", "sources, coverage, flagged hours, collection", "telemetry:data-health"),
    ("Glossary", "every word and the keys", "reservations:glossary"),
    ("Preferences", "zone, roles, access tokens", "reservations:me"),
    ("API reference", "answers for programs, OpenAPI", "api-reference"),
    ("Saved views", "addresses kept under a name", "reservations:views"),
)


def group(title: str, hits: Sequence[Hit]) -> Group:
    """The first of them, exact ones before all others."""
    ordered = sorted(hits, key=lambda hit: not hit.exact)
    return Group(title, tuple(ordered[:A_GROUP]), len(ordered) > A_GROUP)


def pool_hits(text: str, pools: Sequence[PoolRow]) -> list[Hit]:
    """Pools with the text in their name or instance type."""
    found = [pool for pool in pools if text.lower() in f"{pool.name}\n{pool.instance_type}".lower()]
    return [
        Hit(
            label=pool.name,
            words=f"{pool.instance_type}, owned by {pool.owner}",
            page="telemetry:pool-now",
            of=(("name", pool.name),),
            exact=pool.name == text,
        )
        for pool in found
    ]


def owner_hits(text: str, pools: Sequence[PoolRow]) -> list[Hit]:
    """Teams that own a pool, with the text in their name."""
    names = sorted({pool.owner for pool in pools if text.lower() in pool.owner.lower()})
    return [
        Hit(
            label=name,
            words=f"owns {', '.join(pool.name for pool in pools if pool.owner == name)}",
            page="scheduler:attention",
            query=(("owner", name),),
        )
        for name in names
    ]


def term_hits(text: str) -> list[Hit]:
    """Words of the glossary: by their name first, then by what they mean."""
    needle = text.lower()
    named = [term for term in TERMS if needle in term.label or needle in term.name]
    meant = [term for term in TERMS if term not in named and needle in term.meaning.lower()]
    return [Hit(term.label, term.meaning, "reservations:glossary", anchor=term.name) for term in (*named, *meant)]


def page_hits(text: str) -> list[Hit]:
    """Pages with the text in their title or in what they show."""
    needle = text.lower()
    return [Hit(label, words, page) for label, words, page in PAGES if needle in f"{label}\n{words}".lower()]
