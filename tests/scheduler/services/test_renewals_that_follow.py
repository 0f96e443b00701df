"""What follows an end: paid or not at all, one reservation only, and never what is nobody's."""

from datetime import datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from reservations.models import Reservation
from scheduler.domain.renewal.standing import RenewalState
from scheduler.models import Renewal, RenewalStep
from scheduler.selectors.calendar import calendar_events
from scheduler.selectors.renewal_case import renewal_facts
from scheduler.services.renewals import Proposed, UnableToRenew, execute_renewal, propose_renewals
from tests.fixtures.cast import Cast
from tests.scheduler.renewing import ADA, DAY, END, NOW, decided, ending_block

pytestmark = pytest.mark.django_db
UNTIL = END + 14 * DAY
EARLY = timedelta(minutes=30)
MIGRATION = "scheduler.migrations.0013_a_follower_follows_one"


def extend(one: Renewal, status: str, until: datetime = UNTIL) -> None:
    """EC2 lists the new end at once, and the extension with how its payment stands."""
    told = {
        "CapacityBlockExtensionStartDate": END.isoformat(),
        "CapacityBlockExtensionEndDate": until.isoformat(),
        "CapacityBlockExtensionStatus": status,
    }
    Reservation.objects.filter(pk=one.reservation_id).update(
        end_at=until, usable_until=until - EARLY, raw={"CapacityBlockExtensions": [told]}
    )


def follower(cast: Cast, name: str) -> Reservation:
    return ending_block(cast.pool, name=name, state="scheduled", start_at=END, end_at=UNTIL, planned_count=4)


def states() -> list[tuple[str, str]]:
    found = Renewal.objects.filter(end_at=END).order_by("reservation__external_id")
    return [(one.state, one.followed_by.external_id if one.followed_by else "") for one in found]


def test_an_extension_executes_a_renewal_once_it_is_paid_and_not_before(cast: Cast) -> None:
    one = decided(cast.pool)
    extend(one, "payment-pending")
    assert propose_renewals(as_of=NOW + DAY) == Proposed()
    with pytest.raises(UnableToRenew, match="an extension waits for its payment"):
        execute_renewal(pk=one.pk, reason="I say so", by=ADA, at=NOW + DAY)
    extend(one, "payment-succeeded")
    assert propose_renewals(as_of=NOW + 2 * DAY) == Proposed(new=1, executed=1)


def test_an_extension_whose_payment_failed_leaves_the_decision_as_it_was(cast: Cast) -> None:
    one = decided(cast.pool)
    extend(one, "payment-failed")
    assert propose_renewals(as_of=NOW + DAY) == Proposed()
    one.refresh_from_db()
    assert (one.state, Renewal.objects.count()) == (RenewalState.DECIDED, 1)


def test_a_calendar_tells_the_end_that_is_paid(cast: Cast) -> None:
    extend(decided(cast.pool), "payment-pending")
    told = {event.kind.value: event.at for event in calendar_events(as_of=NOW)}
    assert (told["end"], told["usable_end"]) == (END, END - EARLY)


def test_one_new_block_follows_one_end_and_another_follows_the_other(cast: Cast) -> None:
    decided(cast.pool)
    decided(cast.pool, name="cr-0bbb")
    follower(cast, "cr-0new")
    assert propose_renewals(as_of=NOW + DAY).executed == 1
    assert propose_renewals(as_of=NOW + DAY).executed == 0
    assert states() == [("executed", "cr-0new"), ("decided", "")]
    follower(cast, "cr-0newer")
    assert propose_renewals(as_of=NOW + DAY).executed == 1
    assert states() == [("executed", "cr-0new"), ("executed", "cr-0newer")]


def test_a_person_cannot_take_what_follows_another(cast: Cast) -> None:
    decided(cast.pool)
    second = decided(cast.pool, name="cr-0bbb")
    follower(cast, "cr-0new")
    propose_renewals(as_of=NOW + DAY)
    with pytest.raises(UnableToRenew, match="Nothing follows yet"):
        execute_renewal(pk=second.pk, reason="I say so", by=ADA, at=NOW + DAY)


def test_what_is_taken_between_look_and_move_is_left_to_the_one_that_took_it(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided(cast.pool)
    second = decided(cast.pool, name="cr-0bbb")
    follower(cast, "cr-0new")
    for module in ("scheduler.selectors.renewal_case", "scheduler.services.renewals.proposing"):
        monkeypatch.setattr(f"{module}.following_now", frozenset)
    assert propose_renewals(as_of=NOW + DAY).executed == 1
    with pytest.raises(UnableToRenew, match="taken for another reservation"):
        execute_renewal(pk=second.pk, by=ADA, at=NOW + DAY)
    assert states() == [("executed", "cr-0new"), ("decided", "")]
    assert RenewalStep.objects.filter(move="execute").count() == 1


def test_what_has_neither_pool_nor_owner_follows_nothing() -> None:
    old = ending_block(name="cr-0old")
    ending_block(name="cr-0new", state="scheduled", start_at=END, end_at=UNTIL, planned_count=4)
    facts = renewal_facts(as_of=NOW)
    assert facts.followers(facts.by_id[old.pk]) == []


def test_what_one_owner_holds_in_a_zone_follows_without_a_pool(cast: Cast) -> None:
    old = ending_block(name="cr-0old", owner=cast.pool.owner.name)
    ending_block(
        name="cr-0new", owner=cast.pool.owner.name, state="scheduled", start_at=END, end_at=UNTIL, planned_count=4
    )
    facts = renewal_facts(as_of=NOW)
    assert [one.external_id for one in facts.followers(facts.by_id[old.pk])] == ["cr-0new"]


def test_a_table_with_a_block_that_follows_two_is_mended_before_the_constraint_comes(cast: Cast) -> None:
    first, second = decided(cast.pool), decided(cast.pool, name="cr-0bbb")
    new = follower(cast, "cr-0new")
    constraint = next(one for one in Renewal._meta.constraints if one.name == "renewal_follower_follows_one")
    with connection.schema_editor() as editor:
        editor.remove_constraint(Renewal, constraint)
    for one, at in ((second, NOW), (first, NOW + DAY)):
        Renewal.objects.filter(pk=one.pk).update(state="executed", followed_by=new, moved_at=at)
    with connection.schema_editor() as editor:
        import_module(MIGRATION).leave_each_to_the_first(apps, editor)
        editor.add_constraint(Renewal, constraint)
    assert states() == [("executed", ""), ("executed", "cr-0new")]
    with pytest.raises(IntegrityError, match="renewal_follower_follows_one"), transaction.atomic():
        Renewal.objects.filter(pk=first.pk).update(followed_by=new)
