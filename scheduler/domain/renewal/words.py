"""Renewals in short words, the same on pages, in files and in calendars."""

from datetime import datetime

from reservations.domain import notation
from reservations.domain.renewal import LeadTimes
from reservations.domain.reservation_state import Kind
from scheduler.domain.renewal.standing import CHOICE_WORDS, Choice

WEEK = 7


def lead_words(lead: LeadTimes | None, kind: Kind) -> str:
    """``2 weeks procurement + 3 weeks provider``; blank without a rule."""
    if lead is None:
        return ""
    provider = f" + {span_words(lead.block_booking)} provider" if kind is Kind.BLOCK and lead.block_booking else ""
    return f"{span_words(lead.procurement)} procurement{provider}"


def span_words(days: int) -> str:
    """``2 weeks``, ``10 days``, ``no``."""
    if not days:
        return "no"
    if days % WEEK == 0:
        return f"{days // WEEK} week{'' if days == WEEK else 's'}"
    return f"{days} day{'' if days == 1 else 's'}"


def choice_words(choice: Choice, nodes: int | None, until: datetime | None) -> str:
    """``renew with 8 nodes until 9 May 2027, 11:30 UTC``."""
    if choice is Choice.LAPSE or nodes is None:
        return CHOICE_WORDS[choice]
    end = "without an end" if until is None else f"until {notation.instant(until)}"
    return f"{CHOICE_WORDS[choice]} {'to' if choice is Choice.RESIZE else 'with'} {nodes_words(nodes)} {end}"


def nodes_words(nodes: int | None) -> str:
    """``1 node``, ``16 nodes``."""
    if nodes is None:
        return "an unknown number of nodes"
    return f"{notation.grouped(nodes)} node{'' if nodes == 1 else 's'}"
