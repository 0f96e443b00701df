"""What people decide about a recommendation from its page; by POST, and safe to send twice."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from reservations.domain.access import Action, may
from reservations.domain.procurement.typed import UnableToReadRequest
from reservations.services.exceptions import UnableToMoveRequest
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on
from scheduler.domain.recommendation.standing import WORDS, Standing
from scheduler.selectors.recommendations import RecommendationRow
from scheduler.services.exceptions import ask_for_exception
from scheduler.services.recommendations import UnableToDecide, decide_on
from scheduler.views.recommendations import found, recommendation_page

MOVES = {"accept": Standing.ACCEPTED, "reject": Standing.REJECTED, "exception": Standing.EXCEPTION_ASKED}


@require_POST
@answers_plainly
def decide(request: HttpRequest, pk: int, move: str) -> HttpResponse:
    """``/recommendations/<id>/accept/``, ``…/reject/`` or ``…/exception/``, with a reason."""
    row = found(request, pk)
    if move not in MOVES:
        raise UnableToAnswer(404, "No such decision", f"{quoted(move)} is no decision: accept, reject or exception.")
    person, to = person_on(request), MOVES[move]
    if not may(person, Action.DECIDE, row.pool.teams):
        said = f"You may see what is recommended about {row.pool.name}, and none of your roles lets you decide on it."
        raise UnableToAnswer(403, "Not yours to decide", said)
    reason = request.POST.get("reason", "")
    if to is Standing.EXCEPTION_ASKED:
        return _ask(request, row, reason)
    try:
        changed = decide_on(
            pk=row.id, to=to, reason=reason, user_id=request.user.pk, user_name=person.name, at=timezone.now()
        )
    except UnableToDecide as unable:
        return recommendation_page(request, row, problem=str(unable), reason=reason[:2_000])
    if changed:
        messages.success(request, f"The recommendation about {row.pool.name} is {WORDS[to]}.")
    return redirect("scheduler:recommendation", row.id)


def _ask(request: HttpRequest, row: RecommendationRow, reason: str) -> HttpResponse:
    """Say that an exception is asked for, and go on with its draft; both or neither."""
    assert request.user.pk is not None  # nosec B101
    try:
        draft = ask_for_exception(
            recommendation_id=row.id,
            pool=row.pool,
            reason=reason,
            by=request.user.pk,
            by_name=person_on(request).name,
            at=timezone.now(),
            key=request.POST.get("key") or None,
        )
    except (UnableToDecide, UnableToMoveRequest, UnableToReadRequest) as unable:
        return recommendation_page(request, row, problem=str(unable), reason=reason[:2_000])
    messages.success(request, "Nothing is asked of anybody yet: write the request, and submit it.")
    return redirect("scheduler:exception-draft", draft.request_id)
