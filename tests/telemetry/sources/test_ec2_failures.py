"""What can go wrong at AWS, each in one sentence that says what to mend, and never an empty list."""

from typing import Any

import pytest

from telemetry.sources.ec2 import fetch
from telemetry.sources.ec2.region import ANTICIPATED
from telemetry.sources.synthetic.endpoint import Fault
from tests.telemetry.sources.ec2_world import aws, question, real_client, reservation


@pytest.fixture(autouse=True)
def _real_client(monkeypatch: pytest.MonkeyPatch) -> None:
    real_client(monkeypatch)


def failing(status: int, code: str) -> Any:
    return lambda call: Fault(status=status, code=code, message="You are not\n authorized.")


@pytest.mark.parametrize(
    ("status", "code", "names", "tries"),
    [
        (401, "AuthFailure", "us-east-1 is enabled for account 111122223333", 1),
        (403, "OptInRequired", "us-east-1 is enabled for account 111122223333", 1),
        (403, "UnauthorizedOperation", "ec2:DescribeCapacityReservations is not allowed", 1),
        (503, "RequestLimitExceeded", "throttled ec2:DescribeCapacityReservations 5 times", 5),
        (400, "RequestExpired", "renew them", 1),
        (403, "SignatureDoesNotMatch", "this machine's clock", 1),
        (
            400,
            "SomethingNew",
            "AWS answered SomethingNew to ec2:DescribeCapacityReservations: You are not authorized.",
            1,
        ),
    ],
)
def test_a_refused_list_gives_one_sentence_that_says_what_to_mend(
    status: int, code: str, names: str, tries: int
) -> None:
    with aws(reservation(), fault=failing(status, code)) as (url, endpoint):
        sweep = fetch(question(url))
    assert (sweep.complete, sweep.listed, sweep.error_code) == (False, (), code)
    assert names in sweep.error
    assert "\n" not in sweep.error
    assert len(endpoint.calls) == tries


@pytest.mark.parametrize("status", [200, 403, 502])
@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Welcome</body></html>",
        b"<html><p>Log in<br></html>",
        b"",
        b"<a><requestId>x</requestId></a>",
        b"<DescribeCapacityReservationsResponse><requestId>x</requestId></DescribeCapacityReservationsResponse>",
    ],
)
def test_an_answer_that_is_not_ec2s_is_never_an_empty_list(status: int, body: bytes) -> None:
    with aws(reservation(), fault=lambda call: Fault(status=status, body=body)) as (url, _):
        sweep = fetch(question(url))
    assert not sweep.complete
    assert url in sweep.error
    assert "\n" not in sweep.error


def test_no_reservations_at_all_is_a_complete_list() -> None:
    body = b"<R><requestId>x</requestId><capacityReservationSet/></R>"
    for fault in (None, Fault(body=body)):
        with aws(fault=lambda call, fault=fault: fault) as (url, _):
            sweep = fetch(question(url))
        assert (sweep.complete, sweep.listed) == (True, ())


def test_an_endpoint_that_hangs_up_or_is_not_there_cannot_be_reached() -> None:
    with aws(fault=lambda call: Fault(drop=True)) as (url, endpoint):
        sweep = fetch(question(url))
    assert (sweep.complete, len(endpoint.calls)) == (False, 5)
    assert "cannot be reached" in sweep.error
    gone = fetch(question(url))
    assert "cannot be reached" in gone.error


def test_an_endpoint_that_is_too_slow_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from telemetry.sources.ec2 import clients

    monkeypatch.setattr(clients, "CONFIG", clients.CONFIG.merge(clients.Config(read_timeout=0.2)))
    with aws(fault=lambda call: Fault(seconds=0.6)) as (url, _):
        sweep = fetch(question(url))
    assert sweep.error_code == "ReadTimeoutError"
    assert "did not answer" in sweep.error


def test_an_address_that_is_none_is_said_so() -> None:
    sweep = fetch(question("nonsense"))
    assert (sweep.complete, sweep.error_code) == (False, "UnableToMakeClient")
    assert "“nonsense” is not an address: begin endpoint_url with http" in sweep.error


PAGE = b"<html><body>Welcome</body></html>"


@pytest.mark.parametrize(
    ("status", "body", "tries"),
    [(501, PAGE, "once"), (505, PAGE, "once"), (500, PAGE, "5 times"), (502, PAGE, "5 times"), (503, b"", "5 times")],
)
def test_a_status_without_a_code_says_how_often_it_was_asked(status: int, body: bytes, tries: str) -> None:
    with aws(reservation(), fault=lambda call: Fault(status=status, body=body)) as (url, endpoint):
        sweep = fetch(question(url))
    assert f"answered HTTP {status}" in sweep.error
    assert f", {tries}: try again later" in sweep.error
    assert len(endpoint.calls) == {"once": 1, "5 times": 5}[tries]


UNREADABLE = [("startDate", "yesterday"), ("totalInstanceCount", "many")]


def answer_with(member: str, said: str) -> bytes:
    item = f"<item><capacityReservationId>cr-0aaa</capacityReservationId><{member}>{said}</{member}></item>"
    return f"<R><requestId>1</requestId><capacityReservationSet>{item}</capacityReservationSet></R>".encode()


@pytest.mark.parametrize(("member", "said"), UNREADABLE)
def test_a_time_or_a_number_that_cannot_be_read_is_the_answers_fault(member: str, said: str) -> None:
    with aws(fault=lambda call: Fault(body=answer_with("totalInstanceCount", "4"))) as (url, _):
        assert fetch(question(url)).listed[0].total_count == 4
    with aws(fault=lambda call: Fault(body=answer_with(member, said))) as (url, _):
        sweep = fetch(question(url))
    assert (sweep.complete, sweep.listed, sweep.error_code) == (False, (), "ResponseParserError")
    assert f"{url} answered something that is not AWS's XML" in sweep.error


def test_a_mistake_of_our_own_is_never_told_as_one_of_aws() -> None:
    for mistake in (ValueError, TypeError, KeyError, AttributeError, ArithmeticError):
        assert not issubclass(mistake, ANTICIPATED)


def test_without_credentials_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with aws() as (url, _):
        sweep = fetch(question(url))
    assert sweep.error_code == "NoCredentialsError"
    assert "AWS_ACCESS_KEY_ID" in sweep.error
