"""Which pool a reservation backed, mended for some time."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from reservations.domain import entry_texts
from reservations.domain.access import Action, may
from reservations.selectors.pools import pool_rows
from reservations.services.backing import UnableToMend, mend_membership
from reservations.views.answers import answers_plainly
from reservations.views.asking import person_on, zones_on
from reservations.views.reservation_actions import STALE, allowed


@require_http_methods(["GET", "HEAD", "POST"])
@answers_plainly
def mend(request: HttpRequest, pk: int) -> HttpResponse:
    """``/reservations/<pk>/pool/``."""
    row = allowed(request, pk, lambda given: given.mend)
    person, zone = person_on(request), zones_on(request).accounting
    pools = [pool.name for pool in pool_rows() if may(person, Action.MEND_MEMBERSHIP, {pool.owner})]
    texts = {name: request.POST.get(name, "").strip()[:80] for name in ("pool", "start", "end")}
    problem = ""
    if request.method == "POST":
        try:
            if texts["pool"] and texts["pool"] not in pools:
                raise UnableToMend("There is no such pool, or it belongs to a team whose pools you may not mend.")
            start, end = (entry_texts.instant(texts[name], zone) if texts[name] else None for name in ("start", "end"))
            changed = mend_membership(pk=pk, pool=texts["pool"] or None, start=start, end=end, as_of=timezone.now())
        except (ValueError, UnableToMend) as unable:
            problem = str(unable)
        else:
            if changed:
                messages.success(request, f"Which pool {row.external_id} backed is mended. {STALE}")
            return redirect("reservations:detail", pk)
    context = {
        "section": "reservations",
        "crumbs": [
            ("Reservations", reverse("reservations:list")),
            (row.external_id, reverse("reservations:detail", args=[pk])),
            ("Which pool it backed", ""),
        ],
        "row": row,
        "pools": pools,
        "texts": texts,
        "problem": problem,
        "accounting": zone,
    }
    return render(request, "reservations/mend.html", context, status=400 if problem else 200)
