"""Every sentence the sources can say is one we have words for."""

import re
from pathlib import Path

import pytest

from telemetry.domain.plain_errors import OTHER, kinds, plain_error
from tests.fixtures.parts import ROOT

PLACE = "source “main” at http://127.0.0.1:9090"
SAID = {
    f"{PLACE} is down or the address is wrong: its name cannot be resolved": "no such host",
    f"{PLACE} is down or the address is wrong: nothing takes the connection": "nobody there",
    f"{PLACE} took no connection within 5 s: check the address, the network and its firewall": "blocked on the way",
    f"{PLACE} has a certificate that cannot be trusted: check it, or the address": "certificate not trusted",
    f"{PLACE} refuses this log-in (403): check bearer_token_env": "log-in refused",
    "environment variable “TOKEN” for the log-in is not set": "no log-in given",
    f"{PLACE} did not answer within 30 s: lower nodes_per_shard of the source": "too much at once",
    f"{PLACE} gave up or is overloaded (503): it gave no reason; lower nodes_per_shard": "too much at once",
    f"{PLACE} broke off in the middle of an answer: does a proxy cut it short?": "answer cut short",
    f"{PLACE} has no /api/v1/query (404): check the path of its address": "wrong address",
    f"{PLACE} answered with a web page instead of JSON: a log-in page or a wrong path": "wrong address",
    f"{PLACE} does not understand the question (400): parse error; check the names": "configured wrongly",
    f"{PLACE} failed with HTTP 502: it gave no reason": "fault on their side",
    "prod in us-east-1: ec2:DescribeCapacityReservations is not allowed (UnauthorizedOperation): add it": (
        "permission missing"
    ),
    "prod in us-east-1: the credentials have expired (ExpiredToken): renew them": "log-in expired",
    "prod in us-east-1: AWS throttled ec2:Describe 5 times (Throttling): poll less often": "asked too often",
    "prod in us-east-1: there are no AWS credentials to ask with: set AWS_ACCESS_KEY_ID": "no log-in given",
    "the hour is final and this reading knows less of it; use --force to replace it": "kept what is known",
    "something never heard before": "not met before",
}


@pytest.mark.parametrize("sentence", SAID)
def test_a_sentence_is_of_the_kind_it_tells_of(sentence: str) -> None:
    assert plain_error(sentence).kind == SAID[sentence]


def test_every_kind_says_what_it_means_and_what_to_do() -> None:
    for one in kinds():
        assert one.means.endswith(".")
        assert one.do.endswith(".")
    assert len({one.kind for one in kinds()}) == len(list(kinds()))


@pytest.mark.parametrize("path", ["prometheus/client.py", "prometheus/answers.py"])
def test_no_sentence_of_the_metrics_sources_is_without_words(path: str) -> None:
    source = (Path(ROOT) / "telemetry" / "sources" / path).read_text()
    called = re.findall(r"UnableToFetch\(\s*(f?\".+?\")(?=,\s*permanent|\)|\s*,\s*\n\s*permanent)", source, re.DOTALL)
    assert len(called) > 5
    for literal in called:
        sentence = "".join(re.findall(r"\"(.*?)\"", literal))
        if "cannot be asked" in sentence or sentence.endswith("{error}"):
            continue
        filled = re.sub(r"\{what\}", "refuses this log-in (403)", sentence)
        filled = re.sub(r"\{why\}", "nothing takes the connection", filled)
        filled = re.sub(r"HTTP \{reply.status\}", "HTTP 502", filled)
        assert plain_error(filled) is not OTHER, filled
