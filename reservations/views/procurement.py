"""The procurement rule: in plain words, its versions, and drafting and publishing the next one."""

from collections.abc import Mapping
from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from reservations.domain.access import Action, may, may_somewhere
from reservations.domain.procurement.rule_words import rule_sentences
from reservations.forms.procurement_rule import document_of, form_rows, texts_of
from reservations.selectors.approvers import role_holders
from reservations.selectors.contacts import contacts
from reservations.selectors.procurement import RuleVersion, rule_versions
from reservations.services.procurement_rules import UnableToChangeRule, draft_rule, publish_rule
from reservations.tables.authority import authority_rows
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on, zones_on

DRAFT = "draft"


@require_safe
@answers_plainly
def procurement(request: HttpRequest) -> HttpResponse:
    """``/procurement/``: the version in force, else the newest."""
    _may_see(request)
    versions = rule_versions(_today(request))
    shown = next((one for one in versions if one.in_force), versions[0] if versions else None)
    return _page(request, versions, shown)


@require_safe
@answers_plainly
def procurement_version(request: HttpRequest, version: int) -> HttpResponse:
    """``/procurement/<version>/``: one version, whatever became of it."""
    _may_see(request)
    versions = rule_versions(_today(request))
    return _page(request, versions, _found(versions, version))


@require_http_methods(["GET", "HEAD", "POST"])
@answers_plainly
def procurement_draft(request: HttpRequest, version: int | None = None) -> HttpResponse:
    """``/procurement/draft/`` begins from the version in force, ``/procurement/<version>/draft/`` goes on with one."""
    if not may(person_on(request), Action.DRAFT_RULE):
        raise UnableToAnswer(403, "Not yours to draft", "None of your roles lets you draft the rule.")
    versions = rule_versions(_today(request))
    base = _found(versions, version) if version is not None else next((one for one in versions if one.in_force), None)
    if version is not None and base and base.status != DRAFT:
        raise UnableToAnswer(409, "Published already", f"Version {version} never changes: draft a new one.")
    document = base.document if base else {}
    if request.method != "POST":
        return _form(request, version, base, texts_of(document))
    said = {name: str(text)[:2_000] for name, text in request.POST.items()}
    try:
        kept = _keep(request, said, document, version)
    except UnableToChangeRule as unable:
        return _form(request, version, base, said, str(unable))
    messages.success(request, f"Version {kept} is kept as a draft: somebody else publishes it.")
    return redirect("reservations:procurement-version", kept)


@require_POST
@answers_plainly
def procurement_publish(request: HttpRequest, version: int) -> HttpResponse:
    """``/procurement/<version>/publish/``: by somebody who did not write it."""
    _may_see(request)
    try:
        new = publish_rule(version=version, by=_user(request), at=timezone.now(), today=_today(request))
    except UnableToChangeRule as unable:
        versions = rule_versions(_today(request))
        return _page(request, versions, _found(versions, version), problem=str(unable))
    messages.success(request, f"Version {version} is published." if new else f"Version {version} was published before.")
    return redirect("reservations:procurement-version", version)


def _page(
    request: HttpRequest, versions: list[RuleVersion], shown: RuleVersion | None, problem: str = ""
) -> HttpResponse:
    person, user_id = person_on(request), _user(request)
    rule = shown.rule if shown else None
    context = {
        "section": "exceptions",
        "crumbs": [("Exceptions", reverse("scheduler:exceptions")), ("Procurement rule", "")],
        "versions": versions,
        "shown": shown,
        "sentences": rule_sentences(rule) if rule else [],
        "authority": authority_rows(rule, role_holders(rule.owner)) if rule else [],
        "may_draft": may(person, Action.DRAFT_RULE),
        "why_not_publish": _why_not_publish(request, shown, user_id),
        "problem": problem,
    }
    return render(request, "reservations/procurement/rule.html", context, status=409 if problem else 200)


def _why_not_publish(request: HttpRequest, shown: RuleVersion | None, user_id: int) -> str:
    if shown is None or shown.status != DRAFT:
        return "It is published."
    if not may(person_on(request), Action.PUBLISH_RULE):
        return "Only an approver or an administrator of the whole organisation publishes it."
    if shown.author_id == user_id:
        return "You wrote this version: somebody else has to publish it."
    return ""


def _form(
    request: HttpRequest, version: int | None, base: RuleVersion | None, texts: Mapping[str, str], problem: str = ""
) -> HttpResponse:
    first = {
        "owner": base.owner if base else "",
        "note": base.note if base and version is not None else "",
        "effective_from": _iso(base.effective_from) if base and version is not None else "",
        "effective_to": _iso(base.effective_to) if base and version is not None else "",
    }
    context = {
        "section": "exceptions",
        "crumbs": [
            ("Exceptions", reverse("scheduler:exceptions")),
            ("Procurement rule", reverse("reservations:procurement")),
            (f"Draft of version {version}" if version else "New version", ""),
        ],
        "version": version,
        "base": base,
        "texts": {**first, **texts},
        "owners": sorted(contacts()),
        "problem": problem,
        **form_rows(texts),
    }
    return render(request, "reservations/procurement/draft.html", context, status=422 if problem else 200)


def _keep(request: HttpRequest, said: Mapping[str, str], before: Mapping[str, object], version: int | None) -> int:
    return draft_rule(
        document=document_of(said, before),
        owner=said.get("owner", ""),
        by=_user(request),
        at=timezone.now(),
        note=said.get("note", ""),
        version=version,
        effective_from=_day(said.get("effective_from", "")),
        effective_to=_day(said.get("effective_to", "")),
    )


def _found(versions: list[RuleVersion], version: int) -> RuleVersion:
    for one in versions:
        if one.version == version:
            return one
    raise UnableToAnswer(404, "No such version", f"The procurement rule has no version {version}.")


def _may_see(request: HttpRequest) -> None:
    if not may_somewhere(person_on(request), Action.SEE_RULE):
        raise UnableToAnswer(403, "Not yours to see", "You have no role yet, and the rule is shown to who has one.")


def _today(request: HttpRequest) -> date:
    return timezone.now().astimezone(zones_on(request).accounting).date()


def _user(request: HttpRequest) -> int:
    assert request.user.pk is not None  # nosec B101
    return request.user.pk


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip()) if text.strip() else None
    except ValueError:
        raise UnableToChangeRule(f"{quoted(text)} is not a day: write it as 2026-01-31.") from None


def _iso(value: date | None) -> str:
    return value.isoformat() if value else ""
