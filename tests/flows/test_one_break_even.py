"""Both break-even lines are one number on every page, in every file and in the API, for whoever may see prices."""

import html
from datetime import date
from decimal import Decimal

import pytest
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test import Client

from reservations.models import PriceSubject, ShortageRecord
from telemetry.models import PoolHour
from tests.fixtures.cast import Cast
from tests.flows.test_one_number import LOG_INS, csv_rows, exact, xlsx_rows
from tests.reservations.api.calling import Caller, token_of

pytestmark = pytest.mark.django_db


def test_both_break_even_lines_are_one_number_behind_every_door(
    cast: Cast, collected: list[PoolHour], client: Client
) -> None:
    ShortageRecord.objects.create(
        subject=PriceSubject.objects.get(pool=cast.pool), period=DateRange(date(2026, 1, 1), None), currency="USD",
        fail_probability=Decimal("0.25"), shortage_cost=80, convention="extra", recorded_on=date(2026, 1, 1),
    )  # fmt: skip
    client.force_login(cast.analyst, backend=LOG_INS)
    told = exact(Caller(token_of(cast.analyst)).get("pools/serve-h100/months/2026-03").content)
    allocated = sum(row.allocated for row in collected) / Decimal(sum(row.reserved for row in collected))
    assert round(told["allocated_reserved_share"], 9) == round(allocated, 9)
    even, adjusted = told["worth"]["break_even_share"], told["worth"]["adjusted_break_even_share"]
    assert (even, adjusted) == (Decimal("0.5"), Decimal("0.4"))
    rows = csv_rows(client, "/pools/serve-h100/2026-03/break-even.csv")
    assert [Decimal(row["break_even_share"]) for row in rows] == [even, adjusted]
    assert {Decimal(row["allocated_reserved_share"]) for row in rows} == {told["allocated_reserved_share"]}
    assert [row["break_even_share"] for row in xlsx_rows(client, "/pools/serve-h100/2026-03/break-even.xlsx")] == [
        0.5, 0.4,
    ]  # fmt: skip
    for address in ("/pools/serve-h100/2026-03/tiles.csv", "/fleet/2026-03/pools.csv", "/attention/pools.csv"):
        row = next(row for row in csv_rows(client, address) if row.get("pool", "serve-h100") == "serve-h100")
        assert [Decimal(row[name]) for name in ("break_even_share", "adjusted_break_even_share")] == [even, adjusted]
    page = client.get("/pools/serve-h100/2026-03/").content.decode()
    assert told["worth"]["verdict"] in html.unescape(page)
    for door in (page, client.get("/fleet/2026-03/?columns=even,adjusted").content.decode()):
        assert "50.0\u202f%" in door
        assert "40.0\u202f%" in door
    client.force_login(cast.viewer, backend=LOG_INS)
    for address in ("/pools/serve-h100/2026-03/", "/fleet/2026-03/?columns=even,adjusted"):
        assert "40.0\u202f%" not in client.get(address).content.decode()
    assert {row["break_even_share"] for row in csv_rows(client, "/pools/serve-h100/2026-03/break-even.csv")} == {""}
