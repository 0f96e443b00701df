"""Who did what to a reservation, newest first, in words."""

from collections.abc import Sequence
from datetime import tzinfo

from reservations.domain.held_now import ReservationRow
from reservations.domain.row_history import CREATED, changes
from reservations.selectors.reservation_detail import SET_BY_PEOPLE, Event
from reservations.tables.reservation_story import NOBODY, ToldChange, told_backing, told_changes, told_quote

OF_MONEY = frozenset({"upfront_fee", "currency"})
RULES = "the pools' rules"
REMOVED = "-"


def told_events(events: Sequence[Event], row: ReservationRow, zone: tzinfo, *, see_prices: bool) -> list[ToldChange]:
    """Every change, pool and note, newest first; of what a provider lists people set the owner alone."""
    fields = [name for name in SET_BY_PEOPLE if name not in OF_MONEY or see_prices] if row.by_hand else ["owner"]
    saves = [event.saved for event in events if event.what == "reservation"]
    told = told_changes(changes(saves, fields), zone)
    told += [
        ToldChange(save.at, save.who or NOBODY, "entered", reason=save.reason) for save in saves if save.how == CREATED
    ]
    for event in events:
        save = event.saved
        if event.what == "note":
            told.append(ToldChange(save.at, save.who or NOBODY, "note", after=str(save.values.get("text", ""))))
        elif event.what == "pool" or (event.what == "price" and see_prices):
            words = told_backing(save.values, zone) if event.what == "pool" else told_quote(save.values)
            before, after = (words, "") if save.how == REMOVED else ("", words)
            who = save.who or (RULES if event.what == "pool" else NOBODY)
            told.append(ToldChange(save.at, who, event.what, before, after, save.reason))
    return sorted(told, key=lambda change: change.at, reverse=True)
