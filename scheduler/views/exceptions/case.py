"""One request as its approver reads it: what is asked, the frozen numbers, the chain of steps, and what you may do."""

from dataclasses import dataclass, field
from uuid import uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.procurement.request_state import OVER, RequestState
from reservations.selectors.exception_case import attachment, exception_case
from reservations.selectors.exception_told import ExceptionCase
from reservations.selectors.exception_ways import Ways, ways
from reservations.selectors.exceptions import ExceptionRow
from reservations.views.answers import UnableToAnswer, answers_plainly
from scheduler.tables.exceptions.content import changes, facts, texts
from scheduler.tables.exceptions.figures import figures_of
from scheduler.tables.exceptions.lines import line_of, nodes_words
from scheduler.tables.exceptions.moves import trail_lines
from scheduler.views.exceptions.asked import Asker, asker_on, found

WAY_WORDS = {
    "approve": "Approve",
    "return": "Return for changes",
    "reject": "Reject",
    "withdraw": "Withdraw",
    "revise": "Revise",
    "execute": "Say that it is bought",
    "break_glass": "Approve alone in an emergency",
    "sign_off": "Sign the emergency off",
}
"""In the order in which refusals are told; what is never more than a step of another is left out."""


@dataclass(frozen=True, slots=True)
class Refused:
    """What somebody sent that could not be done: which form, why, and what was typed."""

    form: str = ""
    sentence: str = ""
    texts: dict[str, str] = field(default_factory=dict)


@require_safe
@answers_plainly
def exception(request: HttpRequest, pk: int) -> HttpResponse:
    """``/exceptions/<id>/``; a draft leads to its form for who may write it."""
    row = found(request, pk)
    return case_page(request, row)


@require_safe
@answers_plainly
def exception_file(request: HttpRequest, pk: int, file_id: int) -> HttpResponse:
    """``/exceptions/<id>/files/<id>/``: always as a download, so that no browser runs what somebody attached."""
    row = found(request, pk)
    told = attachment(row.id, file_id) if file_id < 2**63 else None
    if told is None:
        raise UnableToAnswer(404, "No such file", f"Request {pk} has no file {file_id}.")
    name, media_type, content = told
    headers = {
        "Content-Disposition": content_disposition_header(True, name),
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(content, content_type=media_type, headers=headers)


def case_page(request: HttpRequest, row: ExceptionRow, refused: Refused | None = None) -> HttpResponse:
    """The page of one request; with a refusal the status says that something could not be done."""
    asker, case = asker_on(request), exception_case(row)
    open_ways = ways(case, asker.person, user_id=asker.user_id, at=asker.now, today=asker.today)
    if row.state is RequestState.DRAFT and len(case.versions) == 1 and open_ways.may("save") and refused is None:
        return _to_draft(row)
    shown = next((one for one in case.versions if one.content is not None), None)
    context = {
        **_about(row, case, asker),
        "shown": shown,
        "content": shown.content if shown else None,
        "facts": facts(shown.content) if shown and shown.content else [],
        "texts": texts(shown.content) if shown and shown.content else [],
        "figures": figures_of(shown.evidence) if shown else [],
        "changes": changes(case.versions),
        "ways": open_ways,
        "open": {name: open_ways.may(name) for name in open_ways.why_not},
        "closed": _closed(case, open_ways),
        "approve_words": _approve_words(row, open_ways),
        "refused": refused or Refused(),
        "keys": {name: uuid4() for name in (*WAY_WORDS, "conditions", "meet_condition", "turn_down")},
        "blank_conditions": range(1, 4),
    }
    return render(request, "scheduler/exceptions/case.html", context, status=409 if refused else 200)


def _about(row: ExceptionRow, case: ExceptionCase, asker: Asker) -> dict[str, object]:
    return {
        "section": "exceptions",
        "crumbs": [("Exceptions", reverse("scheduler:exceptions")), (f"Request {row.id}", "")],
        "row": row,
        "case": case,
        "line": line_of(row, today=asker.today, zone=asker.zone),
        "trail": trail_lines(case.trail),
        "today": asker.today,
        "conditions": [(one, one.is_overdue(asker.today)) for one in case.conditions],
    }


def _to_draft(row: ExceptionRow) -> HttpResponseRedirect:
    return redirect("scheduler:exception-draft", row.id)


def _closed(case: ExceptionCase, ways: Ways) -> list[tuple[str, str]]:
    """What this person can't do, and why; a sign-off only in an emergency, each reason once."""
    asked = [name for name in WAY_WORDS if name != "sign_off" or case.glass is not None]
    whys: dict[str, list[str]] = {}
    for name in asked:
        why = _by_state(case.row, ways.why_not.get(name, ""))
        if why:
            whys.setdefault(why, []).append(WAY_WORDS[name])
    return [(_listed(names), why) for why, names in whys.items()]


def _by_state(row: ExceptionRow, why: str) -> str:
    """The one sentence for all that its state alone refuses; any other reason as it stands."""
    if not why.startswith(f"It is {row.state_words}, so it can’t be"):
        return why
    return f"It is {row.state_words}: " + ("ask anew for anything else." if row.state in OVER else "not in this state.")


def _listed(names: list[str]) -> str:
    told = [names[0], *(name[0].lower() + name[1:] for name in names[1:])]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"


def _approve_words(row: ExceptionRow, ways: Ways) -> str:
    """What the button does: ``Approve 13 nodes until 31 May 2027``."""
    size = nodes_words(row.nodes) if row.nodes is not None else "it"
    until = f" until {notation.day(row.term_end)}" if row.term_end else ""
    lent = f" for {ways.acting_for.delegator_name}" if ways.acting_for else ""
    return f"Approve {size}{until}{lent}"
