"""When an address is left alone and when its digest is made, by its own clock, whatever that clock does."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo


def digest_instant(day: date, hour: int, zone: tzinfo | None) -> datetime:
    """When the digest of a local day is made: once a day, also where its hour is skipped or comes twice."""
    return datetime.combine(day, time(hour), tzinfo=zone or UTC).astimezone(UTC)


def digest_after(now: datetime, hour: int, zone: tzinfo | None) -> datetime:
    """The first digest after an instant."""
    day = now.astimezone(zone or UTC).date()
    return next(at for at in (digest_instant(day + timedelta(days=n), hour, zone) for n in range(3)) if at > now)


def digest_day(now: datetime, hour: int, zone: tzinfo | None) -> date:
    """The local day of the last digest that was due at an instant."""
    day = now.astimezone(zone or UTC).date()
    days = (day - timedelta(days=n) for n in range(3))
    return next(one for one in days if digest_instant(one, hour, zone) <= now)


def quiet_end(now: datetime, start: time | None, end: time | None, zone: tzinfo | None) -> datetime:
    """The instant itself, or the end of the quiet hours that it lies in; an end that a clock change skips comes as much
    later as was skipped."""
    local = now.astimezone(zone or UTC)
    if end is None or not is_quiet(local.time(), start, end):
        return now
    ends = (
        datetime.combine(local.date() + timedelta(days=n), end.replace(fold=fold), tzinfo=zone or UTC).astimezone(UTC)
        for n in range(2)
        for fold in (0, 1)
    )
    return min(at for at in ends if at > now and not is_quiet(at.astimezone(zone or UTC).time(), start, end))


def is_quiet(at: time, start: time | None, end: time | None) -> bool:
    """Whether a time of day lies in ``[start, end)``, which may go over midnight; never without both ends."""
    if start is None or end is None:
        return False
    return start <= at < end if start < end else at >= start or at < end
