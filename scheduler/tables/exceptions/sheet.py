"""The list of requests as a file: the rows of the page, every digit."""

from collections.abc import Iterable, Mapping

from reservations.selectors.exceptions import ExceptionRow, InboxItem
from reservations.tables.sheet import Column, Kind, Sheet

COLUMNS = (
    Column("request", "request", Kind.COUNT),
    Column("version", "version", Kind.COUNT),
    Column("state", "state", Kind.TEXT),
    Column("type", "type", Kind.TEXT),
    Column("pool", "pool", Kind.TEXT),
    Column("team", "team", Kind.TEXT),
    Column("shape", "instance type", Kind.TEXT),
    Column("nodes", "size", Kind.COUNT, "nodes"),
    Column("term_start", "from", Kind.DAY),
    Column("term_end", "until", Kind.DAY),
    Column("amount", "amount of the term", Kind.MONEY),
    Column("authority_amount", "steps chosen by", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
    Column("requester", "asked by", Kind.TEXT),
    Column("submitted_at", "submitted", Kind.INSTANT),
    Column("decision_date", "decide by", Kind.DAY, term="decision_date"),
    Column("waits_for", "waits for", Kind.TEXT),
    Column("waits_for_me", "waits for me", Kind.YES_NO),
    Column("acting_for", "in the name of", Kind.TEXT),
    Column("approved_at", "approved", Kind.INSTANT),
    Column("valid_until", "valid until", Kind.INSTANT),
    Column("conditions_open", "conditions open", Kind.COUNT),
    Column("rule_version", "rule version", Kind.COUNT),
    Column("content_sha256", "SHA-256 of what is approved", Kind.TEXT),
)


def exceptions_sheet(
    rows: Iterable[ExceptionRow], items: Iterable[InboxItem], *, about: tuple[tuple[str, str], ...] = ()
) -> Sheet:
    """Every row with what of it waits for whoever takes the file."""
    mine = {item.row.id: item for item in items}
    return Sheet("exceptions", "Exceptions", COLUMNS, tuple(_cells(row, mine) for row in rows), about)


def _cells(row: ExceptionRow, mine: Mapping[int, InboxItem]) -> tuple[object, ...]:
    item = mine.get(row.id)
    lent = item.acting_for if item else None
    return (
        row.id,
        row.version,
        row.state.value,
        row.kind.value if row.kind else None,
        row.pool,
        row.team,
        row.shape or None,
        row.nodes,
        row.term_start,
        row.term_end,
        row.amount,
        row.authority_amount,
        row.currency or None,
        row.requester,
        row.submitted_at,
        row.decide_by,
        ", ".join(step.role.value for step in row.waiting) or None,
        item is not None,
        lent.delegator_name if lent else None,
        row.approved_at,
        row.valid_until,
        row.conditions_open,
        row.rule_version,
        row.content_hash or None,
    )
