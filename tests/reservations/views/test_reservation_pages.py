"""The list, the timeline and the page of one reservation: for whom, with which words, and what odd questions get."""

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from reservations.models import (
    PoolMembership,
    PriceQuote,
    PriceSubject,
    Reservation,
    ReservationObservation,
    ReservationSize,
    User,
)
from tests.fixtures.cast import Cast
from tests.reservations.holdings import holding, publish_rule

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(cast: Cast) -> dict[str, Reservation]:
    now = timezone.now()
    return {
        "serve": holding("cr-serve", pool=cast.pool, tags={"env": "prod"}, raw={"UpfrontFee": "9", "State": "active"}),
        "block": holding(
            "cr-block",
            pool=cast.pool,
            kind="block",
            start_at=now - timedelta(days=9),
            end_at=now + timedelta(days=12, hours=4, minutes=5),
            usable_until=now + timedelta(days=12, hours=3, minutes=35),
            upfront_fee=Decimal(5000),
            upfront_fee_currency="USD",
        ),
        "arms": holding("cr-arms", pool=cast.other),
        "loose": holding("cr-loose", zone_id="use1-az9"),
    }


def body(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return answer.content.decode()


@pytest.mark.parametrize(
    "address", ["/reservations/", "/reservations/timeline/?range=all", "/reservations/reservations.csv"]
)
def test_only_what_one_may_see_stands_there(address: str, cast: Cast, held: dict[str, Reservation], logged_in) -> None:
    seen = body(logged_in(cast.viewer), address)
    assert "cr-serve" in seen
    for hidden in ("cr-arms", "cr-loose", "use1-az9", "robotics", "arms"):
        assert hidden not in seen
    everything = body(logged_in(cast.analyst), address)
    assert all(f"cr-{name}" in everything for name in held)


@pytest.mark.parametrize("address", ["/reservations/", "/reservations/timeline/"])
def test_who_holds_no_role_is_told_so(address: str, cast: Cast, held: dict[str, Reservation], logged_in) -> None:
    seen = body(logged_in(cast.nobody), address)
    assert "nobody has granted you a role yet" in seen
    assert "cr-" not in seen


def test_an_empty_list_says_which_filter_or_source_is_the_reason(cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    assert "No account has been read in full yet" in body(client, "/reservations/")
    filtered = body(client, "/reservations/?q=nothing&state=active")
    assert "No reservation you may see matches id “nothing”, state “active”." in filtered


@pytest.mark.parametrize("page", ["", "timeline/"])
@pytest.mark.parametrize(
    ("question", "status", "says"),
    [
        ("?page=2", 404, "This list has one page"),
        ("?page=999999", 404, "there is no page 999\u202f999"),
        ("?page=9999999999999999999999", 400, "is not the number of a page"),
        ("?page=-1", 400, "“-1” is not the number of a page"),
        ("?order=colour", 400, "is no column to order by"),
        ("?state=sleeping", 400, "“sleeping” is no state"),
        ("?kind=%3Cb%3E", 400, "“&lt;b&gt;” is no kind"),
        ("?q=%00", 400, "holds a text"),
        ("?tag=" + "x" * 300, 400, "holds a text"),
    ],
)
def test_odd_questions_get_a_sentence_and_the_right_status(
    page: str, question: str, status: int, says: str, cast: Cast, logged_in
) -> None:
    assert says in body(logged_in(cast.analyst), f"/reservations/{page}{question}", status)


def test_odd_ranges_and_files_too(cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    assert "is no range" in body(client, "/reservations/timeline/?range=century", 400)
    body(client, "/reservations/other.csv", 404)
    body(client, "/reservations/reservations.pdf", 404)


def test_the_list_pages_through_all_of_them_in_order(cast: Cast, logged_in) -> None:
    for number in range(120):
        holding(f"cr-{number:03}", pool=cast.pool, total_count=number)
    client = logged_in(cast.analyst)
    third = body(client, "/reservations/?order=-gpus&page=3&pool=serve-h100")
    assert "101–120 of 120" in third
    assert third.index("cr-019") < third.index("cr-018") < third.index("cr-000")
    assert "?pool=serve-h100&amp;order=-gpus&amp;page=2" in third
    assert "7 140 instances" in third.replace("\u202f", " ")


def test_the_file_holds_every_row_that_matches_and_no_fee_of_others(
    cast: Cast, held: dict[str, Reservation], logged_in
) -> None:
    Reservation.objects.filter(pk=held["serve"].pk).update(external_id="=cmd()")
    text = body(logged_in(cast.viewer), "/reservations/reservations.csv?order=id")
    header, first, second = text.splitlines()
    assert header.startswith("reservation,provider,owner,pool,state")
    assert first.startswith("'=cmd(),aws,serving,serve-h100,active")
    assert "5000" not in second
    answer = logged_in(cast.owner).get("/reservations/reservations.xlsx?kind=block")
    assert answer.status_code == 200
    assert answer.content.startswith(b"PK")
    assert "5000" in body(logged_in(cast.owner), "/reservations/reservations.csv?kind=block")


def test_a_time_boxed_one_says_what_it_is_and_how_long_it_still_works(
    cast: Cast, held: dict[str, Reservation], logged_in
) -> None:
    publish_rule()
    seen = body(logged_in(cast.owner), f"/reservations/{held['block'].pk}/")
    end = held["block"].end_at
    assert f"4 × p5.48xlarge in use1-az4, targeted, until {end.day} {end:%b %Y}, owned by serving." in seen
    assert "Stops working in 12 days 3 h" in seen
    assert "5 000" in seen.replace("\u202f", " ")
    assert (
        "https://us-east-1.console.aws.amazon.com/ec2/home?region=us-east-1#CapacityReservations:search=cr-block"
        in seen
    )
    assert "/pools/serve-h100/" in seen


def test_money_is_for_who_may_see_prices(cast: Cast, held: dict[str, Reservation], logged_in) -> None:
    ReservationSize.objects.create(
        reservation=held["serve"], period=(held["serve"].start_at, None), instances=4, dated_by="provider"
    )
    address = f"/reservations/{held['serve'].pk}/"
    rich = body(logged_in(cast.owner), address)
    assert "USD" in rich
    assert "UpfrontFee" in rich
    poor = body(logged_in(cast.viewer), address)
    assert "Your roles show no prices of its teams." in poor
    assert "USD" not in poor
    assert "UpfrontFee" not in poor
    assert "1 field about money" in " ".join(poor.split())
    PriceQuote.objects.all().delete()
    assert "The price book has no reserved price of" in body(logged_in(cast.owner), address)


@pytest.fixture
def moved(cast: Cast) -> Reservation:
    """Two days of 4 instances in serving's pool at 40 USD an hour, then two in robotics', which has no price yet."""
    start = datetime(2026, 3, 1, tzinfo=UTC)
    middle, end = start + timedelta(days=2), start + timedelta(days=4)
    row = holding("cr-moved", owner="robotics", start_at=start, end_at=end, first_seen_at=start)
    for pool, period in ((cast.pool, (None, middle)), (cast.other, (middle, None))):
        PoolMembership.objects.create(pool=pool, reservation=row, period=period)
    ReservationSize.objects.create(reservation=row, period=(start, None), instances=4, dated_by="provider")
    return row


def test_time_in_pools_of_others_is_without_their_price_and_says_so(cast: Cast, moved: Reservation, logged_in) -> None:
    address = f"/reservations/{moved.pk}/"
    assert "It backed pools whose prices your roles do not show." in body(logged_in(cast.outsider), address)
    subject = PriceSubject.objects.create(pool=cast.other)
    PriceQuote.objects.create(
        subject=subject, period=(date(2026, 1, 1), None), reserved=Decimal(10), currency="USD", unit="node-hour"
    )
    theirs, all_of_it = (body(logged_in(one), address).replace("\u202f", " ") for one in (cast.outsider, cast.analyst))
    assert "1 920 USD" in theirs
    assert "Without 1 536 GPU-hours in pools whose prices your roles do not show." in theirs
    assert "9 600 USD" in all_of_it
    assert "Without" not in all_of_it


def test_the_prices_of_the_pool_it_backs_are_told_only_to_who_may_see_them(cast: Cast, logged_in) -> None:
    row = holding("cr-lent", owner="robotics", pool=cast.pool)
    address = f"/reservations/{row.pk}/"
    assert "node-hour" in body(logged_in(cast.analyst), address)
    assert "node-hour" not in body(logged_in(cast.outsider), address)
    loose = holding("cr-free", owner="robotics")
    PriceQuote.objects.create(
        subject=PriceSubject.objects.create(shape="g6.xlarge"), period=(date(2026, 1, 1), None),
        reserved=Decimal(10), currency="USD", unit="node-hour",
    )  # fmt: skip
    assert "node-hour" not in body(logged_in(cast.analyst), f"/reservations/{loose.pk}/")


@pytest.mark.parametrize("part", ["", "observations/", "edit/", "pool/"])
def test_what_belongs_to_others_is_not_there(part: str, cast: Cast, held: dict[str, Reservation], logged_in) -> None:
    client = logged_in(cast.viewer)
    for pk in (held["arms"].pk, held["loose"].pk, 10**6, 10**30):
        seen = body(client, f"/reservations/{pk}/{part}", 404)
        assert f"There is no reservation {pk}, or it belongs to a team whose reservations you may not see." in seen
        assert "cr-" not in seen


def test_what_was_observed_comes_page_by_page(cast: Cast, held: dict[str, Reservation], logged_in) -> None:
    now = timezone.now()
    ReservationObservation.objects.bulk_create(
        ReservationObservation(
            reservation=held["serve"],
            observed_at=now - timedelta(minutes=5 * place),
            state_raw="active",
            total_count=4,
            available_count=None if place == 300 else place % 2,
        )
        for place in range(400)
    )
    client = logged_in(cast.viewer)
    address = f"/reservations/{held['serve'].pk}/observations/"
    newest = body(client, address)
    assert "between 3 and 4 of 4 instances in use" in newest
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    older = part.split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    assert "Newest" in body(client, older)
    body(client, address + "?before=yesterday", 400)


def test_the_timeline_draws_each_term_and_says_the_same_in_words(
    cast: Cast, held: dict[str, Reservation], logged_in
) -> None:
    publish_rule()
    seen = body(logged_in(cast.analyst), "/reservations/timeline/?range=quarter")
    assert seen.count('class="term-row"') == 4
    assert "cr-block: 4 × p5.48xlarge, active, " in seen
    assert "decide by" in seen
    assert 'class="decision"' in seen
    assert "The same as a table" in seen
    narrowed = body(logged_in(cast.analyst), "/reservations/timeline/?owner=robotics")
    assert narrowed.count('class="term-row"') == 1


def test_strange_texts_of_a_provider_are_shown_as_texts(cast: Cast, logged_in) -> None:
    row = holding(
        "<b>cr</b>", pool=cast.pool, tags={"<i>": "</dd><script>"}, raw={"<u>": ["<s>", None, 1]}, zone_id="<z>"
    )
    client = logged_in(cast.owner)
    for address in ("/reservations/", "/reservations/timeline/", f"/reservations/{row.pk}/"):
        seen = body(client, address)
        assert not any(tag in seen for tag in ("<b>cr", "<i>", "</dd><script>", "<u>", "<s>", "<z>"))


def test_reading_needs_no_more_than_reading(cast: Cast, held: dict[str, Reservation], logged_in) -> None:
    client = logged_in(cast.viewer)
    pk = held["serve"].pk
    page = body(client, f"/reservations/{pk}/")
    assert "Set the owner" not in page
    assert "Keep the note" not in page
    for address in ("notes/", "owner/", "end/", "void/"):
        assert client.post(f"/reservations/{pk}/{address}", {"text": "x"}).status_code == 403
        assert client.get(f"/reservations/{pk}/{address}").status_code == 405
    for address in (f"{pk}/edit/", f"{pk}/pool/", "new/", "import/"):
        assert client.get(f"/reservations/{address}").status_code == 403
    assert User.objects.count()


def test_a_block_without_a_quote_costs_its_fee_by_the_hours_that_are_past(cast: Cast, logged_in) -> None:
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    row = holding(
        "cr-paid", shape="p4d.24xlarge", kind="block", total_count=2, start_at=now - timedelta(days=3),
        end_at=now + timedelta(days=1), upfront_fee=Decimal(9600), upfront_fee_currency="USD",
    )  # fmt: skip
    ReservationSize.objects.filter(reservation=row).delete()
    ReservationSize.objects.create(reservation=row, period=(row.start_at, None), instances=2, dated_by="observed")
    PoolMembership.objects.filter(reservation=row).delete()
    PoolMembership.objects.create(pool=cast.other, reservation=row, period=(row.start_at, None))
    seen = body(logged_in(cast.analyst), f"/reservations/{row.pk}/")
    assert "Where no price is quoted, that is the fee of its blocks by the paid hour." in seen
    assert "has no reserved price" not in seen
    (amount,) = re.findall(r"<dt>cost so far</dt><dd>([\d\u202f]+)\u202fUSD", seen)
    hours = (timezone.now() - row.start_at) / timedelta(hours=1)
    # 9,600 USD ÷ 2 nodes × 96 hours, in the hours that are past
    assert abs(int(amount.replace("\u202f", "")) - hours * 2 * 9600 / 192) < 5
