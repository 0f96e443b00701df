"""A column that holds one of a few words is kept to them by the database, whoever writes."""

from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from simple_history.models import HistoricalChanges

from reservations.models import Owner, Pool, Reservation, ReservationSize
from telemetry.models import CollectionRun, MetricsSource

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
# Rows of history are copies of rows that were held to it.
WORDS = [
    (model, field)
    for app in ("reservations", "telemetry")
    for model in apps.get_app_config(app).get_models()
    for field in model._meta.get_fields()
    if isinstance(field, models.Field) and field.choices and not issubclass(model, HistoricalChanges)
]


@pytest.mark.parametrize(("model", "field"), WORDS, ids=str)
def test_every_choice_has_a_constraint_that_names_the_same_words(
    model: type[models.Model], field: models.Field
) -> None:
    kept = [
        sorted(words)
        for constraint in model._meta.constraints
        if isinstance(constraint, models.CheckConstraint) and isinstance(constraint.condition, models.Q)
        if len(constraint.condition.children) == 1 and isinstance(constraint.condition.children[0], tuple)
        for name, words in constraint.condition.children
        if name == f"{field.name}__in"
    ]
    blank = [""] if field.blank and any("" in words for words in kept) else []
    assert kept == [sorted([*blank, *(word for word, _ in field.choices)])]


@pytest.mark.django_db
def test_the_database_refuses_a_word_it_was_not_taught() -> None:
    owner = Owner.objects.create(name="serving")
    pool = Pool.objects.create(name="h100", owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)
    held = Reservation.objects.create(
        arn="arn", external_id="cr-0aaa", kind="on_demand", state="active", first_seen_at=NOON, last_seen_at=NOON
    )
    wrong = [
        MetricsSource(name="main", kind="thanos"),
        CollectionRun(pool=pool, hour=NOON, read_at=NOON, status="perhaps"),
        ReservationSize(reservation=held, period=DateTimeTZRange(NOON, None), instances=1, dated_by="hearsay"),
    ]
    for row in wrong:
        with pytest.raises(IntegrityError, match="known"), transaction.atomic():
            row.save()
