"""Who changed what, from what was saved each time."""

from datetime import UTC, datetime, timedelta

from reservations.domain.row_history import Changed, Saved, changes

AT = datetime(2026, 5, 1, tzinfo=UTC)


def saved(hour: int, who: str, how: str = "~", **values: object) -> Saved:
    return Saved(AT + timedelta(hours=hour), who, how, values)


def test_each_field_that_differs_is_a_change_of_its_own() -> None:
    found = changes(
        [
            saved(0, "ada", "+", owner=None, zone="a"),
            saved(1, "bob", owner="x", zone="b"),
            saved(2, "cy", owner="x", zone="b"),
        ],
        ["owner", "zone"],
    )
    assert found == [
        Changed(AT + timedelta(hours=1), "bob", "owner", None, "x"),
        Changed(AT + timedelta(hours=1), "bob", "zone", "a", "b"),
    ]


def test_before_the_first_save_that_is_kept_nobody_had_set_anything() -> None:
    assert changes([saved(0, "ada", owner="x", zone="told")], ["owner"]) == [Changed(AT, "ada", "owner", None, "x")]


def test_nothing_saved_is_nothing_changed() -> None:
    assert changes([], ["owner"]) == []
