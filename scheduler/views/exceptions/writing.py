"""Writing a request: a draft that is kept while it is typed and by a button, with its files."""

from collections.abc import Mapping
from uuid import uuid4

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from reservations.domain.access import Action, may
from reservations.domain.currency import CURRENCIES
from reservations.domain.procurement.attachment import LARGEST, MOST, TAKEN, UnableToAttach
from reservations.domain.procurement.exception_type import TYPES, ExceptionType
from reservations.domain.procurement.request_state import RequestState
from reservations.domain.procurement.typed import LONGEST_OTHER, LONGEST_REASON, UnableToReadRequest
from reservations.selectors.draft import Draft, draft_of
from reservations.selectors.exception_files import files_of_draft
from reservations.selectors.exceptions import ExceptionRow
from reservations.selectors.pools import pool_rows
from reservations.services.exceptions import (
    SavedDraft,
    UnableToMoveRequest,
    attach_file,
    remove_file,
    save_draft_exception,
)
from reservations.views.answers import UnableToAnswer, answers_plainly
from scheduler.views.exceptions.asked import asker_on, found
from scheduler.views.exceptions.fields import fields_of, meaning_of, number_in, posted, questions_of


@require_http_methods(["GET", "HEAD", "POST"])
@answers_plainly
def draft(request: HttpRequest, pk: int) -> HttpResponse:
    """``/exceptions/<id>/draft/``: the form; POST keeps it, and attaches, removes or goes on to the preview."""
    row = writable(request, pk)
    if request.method != "POST":
        return draft_page(request, row)
    before = draft_of(pk)
    typed = posted(request.POST, before.typed if before else {})
    try:
        saved = _save(request, pk, typed)
        _files(request, pk)
    except UnableToReadRequest as unable:
        return draft_page(request, row, typed=typed, problems=unable.problems)
    except (UnableToMoveRequest, UnableToAttach) as unable:
        return draft_page(request, row, typed=typed, problem=str(unable))
    if request.POST.get("do") == "preview":
        return redirect("scheduler:exception-preview", pk)
    messages.success(request, f"The draft is saved: version {saved.version}, save {saved.saves}.")
    return redirect(reverse("scheduler:exception-draft", args=[pk]) + _place(request))


@require_POST
@answers_plainly
def autosave(request: HttpRequest, pk: int) -> HttpResponse:
    """``/exceptions/<id>/autosave/``: the form while it is typed; answers with when, or why not."""
    writable(request, pk)
    before = draft_of(pk)
    context: dict[str, object] = {"at": asker_on(request).now}
    try:
        context["saves"] = _save(request, pk, posted(request.POST, before.typed if before else {})).saves
    except (UnableToReadRequest, UnableToMoveRequest) as unable:
        context["problem"] = str(unable)
    return render(request, "scheduler/exceptions/saved.html", context)


@require_safe
def questions(request: HttpRequest) -> HttpResponse:
    """``/exceptions/questions/?kind=late``: what this type asks beyond the others, with what was answered already."""
    said = {name: text[:LONGEST_OTHER] for name, text in request.GET.items()}
    context = {"questions": questions_of(said, {}), "meaning": meaning_of(said), "longest": LONGEST_OTHER}
    return render(request, "scheduler/exceptions/questions.html", context)


def writable(request: HttpRequest, pk: int) -> ExceptionRow:
    """The draft of an address, if it is this person's to write; UnableToAnswer otherwise."""
    row = found(request, pk)
    if not may(asker_on(request).person, Action.REQUEST_EXCEPTION, row.teams):
        raise UnableToAnswer(403, "Not yours to write", f"None of your roles lets you ask for {row.team}.")
    if row.state is not RequestState.DRAFT and request.method == "GET":
        raise UnableToAnswer(409, "No draft any more", f"It is {row.state_words}: revise it to change what it says.")
    return row


def draft_page(
    request: HttpRequest,
    row: ExceptionRow,
    *,
    typed: Mapping[str, str] | None = None,
    problems: Mapping[str, str] | None = None,
    problem: str = "",
) -> HttpResponse:
    """The form, with what was typed and what is wrong with it."""
    asker, kept = asker_on(request), draft_of(row.id) or Draft({}, 0)
    said, wrong = kept.typed if typed is None else typed, problems or {}
    saves = request.POST.get("saves", "") if typed is not None else kept.saves
    pools = [pool for pool in pool_rows() if may(asker.person, Action.REQUEST_EXCEPTION, pool.teams)]
    context = {
        "section": "exceptions",
        "crumbs": [("Exceptions", reverse("scheduler:exceptions")), (f"Request {row.id}", "")],
        "row": row,
        "fields": fields_of(said, wrong),
        "questions": questions_of(said, wrong),
        "meaning": meaning_of(said),
        "kinds": [(kind.value, TYPES[kind].label) for kind in ExceptionType],
        "pools": pools,
        "currencies": sorted(CURRENCIES),
        "saves": saves,
        "problems": wrong,
        "problem": problem,
        "files": files_of_draft(row.id),
        "most": MOST,
        "taken": TAKEN,
        "largest": LARGEST // 1024 // 1024,
        "longest": LONGEST_OTHER,
        "longest_reason": LONGEST_REASON,
        "key": uuid4(),
    }
    return render(request, "scheduler/exceptions/draft.html", context, status=422 if wrong or problem else 200)


def _save(request: HttpRequest, pk: int, typed: Mapping[str, str]) -> SavedDraft:
    asker = asker_on(request)
    saves = number_in(request.POST.get("saves"))
    return save_draft_exception(typed=typed, by=asker.user_id, at=asker.now, request_id=pk, saves=saves)


def _files(request: HttpRequest, pk: int) -> None:
    asker = asker_on(request)
    gone = number_in(request.POST.get("remove"))
    if gone is not None:
        remove_file(request_id=pk, attachment_id=gone, by=asker.user_id)
    for one in request.FILES.getlist("file"):
        attach_file(request_id=pk, name=one.name or "file", content=_bytes(one), by=asker.user_id, at=asker.now)


def _bytes(one: UploadedFile) -> bytes:
    """Its content; of one that is too large only so much that this is seen."""
    return bytes(one.read(LARGEST + 1))


def _place(request: HttpRequest) -> str:
    """Where in the page one was."""
    named = {"attach": "#files", "questions": "#what"}
    return "#files" if request.POST.get("remove") else named.get(request.POST.get("do", ""), "")
