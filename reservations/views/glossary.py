"""Every word with a meaning of its own on one page, and the keys that lead around."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from reservations.domain.glossary import ALERTING, ALLOCATING, AUDITING, DECIDING, HOLDING, LEDGER, PROCURING

CHAPTERS = (
    ("holding", "What is held", HOLDING),
    ("ledger", "What became of it", LEDGER),
    ("deciding", "What is decided", DECIDING),
    ("allocating", "What is planned", ALLOCATING),
    ("alerting", "What is wrong", ALERTING),
    ("auditing", "What is written down", AUDITING),
    ("procuring", "What is asked for", PROCURING),
)


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """``/glossary/``: the terms by chapter, each with an anchor of its name."""
    return render(request, "reservations/glossary.html", {"chapters": CHAPTERS})
