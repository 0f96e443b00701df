from datetime import UTC, date, datetime

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from reservations.models import (
    AccessToken,
    Organisation,
    Owner,
    Pool,
    PriceQuote,
    PriceSubject,
    ProcurementRule,
    Reservation,
    RoleGrant,
    User,
)
from telemetry.models import PoolHour
from tests.reservations.api.calling import Caller, token_of

pytestmark = pytest.mark.django_db

OURS: list[type[Model]] = [
    *apps.get_app_config("reservations").get_models(),
    *apps.get_app_config("telemetry").get_models(),
]
INLINE_ONLY = {"PoolReservationRule"}
WRITTEN_BY_MACHINES = {
    "AccessToken",
    "CollectionRun",
    "DemandHour",
    "HeldPod",
    "HistoricalPoolMembership",
    "HistoricalPriceQuote",
    "HistoricalReservation",
    "HourNode",
    "HourPod",
    "HourSuspect",
    "PoolDay",
    "PoolDayQueue",
    "PoolHour",
    "PoolHourQueue",
    "PoolMembership",
    "Recollection",
    "Reservation",
    "ReservationNote",
    "ReservationObservation",
    "ReservationSize",
    "ServiceToken",
    "SyncRun",
}
NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture(params=["role", "superuser"])
def root(client: Client, request: pytest.FixtureRequest) -> Client:
    """Somebody with the organisation-wide admin role, who is neither staff nor superuser, and a superuser."""
    person = User.objects.create_user("root", is_superuser=request.param == "superuser")
    if request.param == "role":
        RoleGrant.objects.create(user=person, role="admin")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page(model: type[Model], what: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def test_every_model_of_ours_is_registered() -> None:
    assert {model.__name__ for model in OURS if not admin.site.is_registered(model)} == INLINE_ONLY


@pytest.mark.parametrize("model", [model for model in OURS if model.__name__ not in INLINE_ONLY])
def test_every_list_opens_and_can_be_searched(root: Client, model: type[Model]) -> None:
    assert root.get(page(model, "changelist")).status_code == 200
    assert root.get(page(model, "changelist"), {"q": "x"}).status_code == 200


@pytest.mark.parametrize("model", [model for model in OURS if model.__name__ in WRITTEN_BY_MACHINES])
def test_what_a_machine_wrote_can_not_be_added_by_anybody(root: Client, model: type[Model]) -> None:
    assert root.get(page(model, "add")).status_code == 403


def test_the_ledger_can_be_looked_at_and_neither_changed_nor_deleted(root: Client) -> None:
    pool = Pool.objects.create(name="h100", owner=Owner.objects.create(name="a"), instance_type="p5", gpus_per_node=8)
    hour = PoolHour.objects.create(pool=pool, hour=NOW, reserved=1, paid=1, read_at=NOW)
    assert root.get(page(PoolHour, "change", hour.pk)).status_code == 200
    assert root.post(page(PoolHour, "change", hour.pk), {"reserved": 5}).status_code == 403
    assert root.post(page(PoolHour, "delete", hour.pk), {"post": "yes"}).status_code == 403
    assert root.post(
        page(PoolHour, "changelist"), {"action": "delete_selected", "_selected_action": hour.pk, "post": "yes"}
    ).status_code in {200, 302, 403}
    assert PoolHour.objects.get().reserved == 1


def test_a_token_can_be_taken_away_and_its_secret_never_be_seen(root: Client) -> None:
    person = User.objects.create_user("ada")
    secret = token_of(person)
    token = AccessToken.objects.get()
    for shown in (page(AccessToken, "changelist"), page(AccessToken, "change", token.pk)):
        told = root.get(shown).content.decode()
        assert token.prefix in told
        assert secret not in told
        assert token.secret_hash not in told
    assert root.post(page(AccessToken, "change", token.pk), {"name": "mine"}).status_code == 403
    assert root.post(page(AccessToken, "delete", token.pk), {"post": "yes"}).status_code == 302
    assert Caller(secret).get("pools").status_code == 401


def test_a_reservation_page_opens_with_its_history(root: Client) -> None:
    reservation = Reservation.objects.create(
        arn="arn", external_id="cr-0aaa", kind="on_demand", state="active", first_seen_at=NOW, last_seen_at=NOW
    )
    assert root.get(page(Reservation, "change", reservation.pk)).status_code == 200
    assert root.post(page(Reservation, "change", reservation.pk), {}).status_code == 403


def test_a_draft_of_the_rule_may_be_mended_and_a_published_version_not(root: Client) -> None:
    owner = Owner.objects.create(name="a")
    draft = ProcurementRule.objects.create(version=2, owner=owner, document={}, status="draft")
    published = ProcurementRule.objects.create(version=1, owner=owner, document={}, status="published")
    form = {"version": 2, "owner": owner.pk, "document": '{"a": 1}'}
    assert root.post(page(ProcurementRule, "change", draft.pk), form).status_code == 302
    assert root.post(page(ProcurementRule, "change", published.pk), form).status_code == 403
    draft.refresh_from_db()
    assert (draft.document, draft.status) == ({"a": 1}, "draft")


def test_a_price_that_overlaps_is_refused_in_the_form_and_not_by_a_crash(root: Client) -> None:
    subject = PriceSubject.objects.create(shape="p5")
    form = {
        "subject": subject.pk, "period_0": "2026-01-01", "period_1": "2026-07-01", "reserved": "62",
        "currency": "USD", "unit": "node-hour",
    }  # fmt: skip
    assert root.post(page(PriceQuote, "add"), form).status_code == 302
    assert root.post(page(PriceQuote, "add"), form | {"period_0": "2026-03-01"}).status_code == 200
    assert [quote.period.lower for quote in PriceQuote.objects.all()] == [date(2026, 1, 1)]


@pytest.mark.parametrize("zone", ["Foo/Bar", "../../etc/passwd", "Europe"])
def test_a_zone_nobody_knows_is_refused_beside_its_field(client: Client, zone: str) -> None:
    organisation, person = Organisation.objects.create(id=1), User.objects.create_user("root")
    RoleGrant.objects.create(user=person, role="admin")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("admin:reservations_organisation_change", args=[organisation.pk])
    refused = client.post(address, {"name": "Example", "accounting_zone": zone})
    assert refused.context["adminform"].form.errors == {
        "accounting_zone": [f"unknown time zone “{zone}”: use an IANA name like Europe/Berlin."]
    }
    organisation.refresh_from_db()
    assert organisation.accounting_zone == "UTC"
    assert client.post(address, {"name": "Example", "accounting_zone": "Asia/Kolkata"}).status_code == 302
    person.zone = zone
    with pytest.raises(ValidationError, match="unknown time zone"):
        person.clean_fields(exclude=["password"])
