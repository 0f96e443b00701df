"""Beginning a request: the pool and the size are chosen, the rule's numbers stand beside, and a draft is made."""

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from reservations.domain.access import Action, may
from reservations.domain.procurement.typed import MOST_NODES, UnableToReadRequest
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.services.exceptions import UnableToMoveRequest
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from scheduler.selectors.exception_basis import prefilled
from scheduler.services.exceptions import begin_exception
from scheduler.views.exceptions.asked import Asker, asker_on
from scheduler.views.exceptions.numbers import live_figures

LONGEST = 200


@require_http_methods(["GET", "HEAD", "POST"])
@answers_plainly
def new(request: HttpRequest) -> HttpResponse:
    """``/exceptions/new/?pool=serve-h100&nodes=16&reservation=cr-1``: the rule's numbers; POST makes the draft."""
    asker = asker_on(request)
    pools = [pool for pool in pool_rows() if may(asker.person, Action.REQUEST_EXCEPTION, pool.teams)]
    said = request.POST if request.method == "POST" else request.GET
    name, nodes, reservation = (said.get(one, "").strip()[:LONGEST] for one in ("pool", "nodes", "reservation"))
    pool = _pool(pools, name)
    problem = _why_no_size(nodes)
    if request.method == "POST" and pool is not None and not problem:
        size = int(nodes) if nodes else None
        try:
            key = request.POST.get("key") or None
            draft = begin_exception(
                pool=pool, by=asker.user_id, at=asker.now, nodes=size, reservation=reservation, key=key
            )
        except (UnableToMoveRequest, UnableToReadRequest) as unable:
            problem = str(unable)
        else:
            return redirect("scheduler:exception-draft", draft.request_id)
    context = {
        "section": "exceptions",
        "crumbs": [("Exceptions", reverse("scheduler:exceptions")), ("New request", "")],
        "pools": pools,
        "pool": pool,
        "nodes": nodes,
        "reservation": reservation,
        "problem": problem,
        "figures": _figures(asker, pool, nodes, reservation) if pool and not problem else [],
        "key": uuid4(),
    }
    return render(request, "scheduler/exceptions/new.html", context, status=422 if problem else 200)


def _pool(pools: list[PoolRow], name: str) -> PoolRow | None:
    if not name:
        return None
    for pool in pools:
        if pool.name == name:
            return pool
    raise UnableToAnswer(404, "No such pool", f"There is no pool {quoted(name)} for which you may ask.")


def _why_no_size(text: str) -> str:
    if not text or (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) <= MOST_NODES):
        return ""
    return f"{quoted(text)} is not a size: write whole nodes."


def _figures(asker: Asker, pool: PoolRow, nodes: str, reservation: str) -> list[object]:
    size = int(nodes) if nodes else None
    basis = prefilled(pool=pool, as_of=asker.now, nodes=size, reservation=reservation).basis
    return list(live_figures(basis))
