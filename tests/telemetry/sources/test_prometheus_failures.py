"""Whatever goes wrong on the way becomes one sentence that names the source, its address and what to mend."""

import time

import pytest

from telemetry.domain.sample import UnableToFetch
from telemetry.sources import prometheus
from tests.telemetry.sources.questions import question
from tests.telemetry.sources.scripted_server import EMPTY, Asked, Scripted, answering, refusing_port
from tests.telemetry.worked_hour import END

HTML = Scripted(b"<!doctype html><title>Sign in</title>", content_type="text/html; charset=utf-8")


def failure(url: str, **options: object) -> UnableToFetch:
    with pytest.raises(UnableToFetch) as caught:
        list(prometheus.fetch(question(url, options=options)).nodes)
    sentence = str(caught.value)
    assert sentence.startswith("source “main” at http://127.0.0.1:")
    assert "\n" not in sentence
    return caught.value


def scripted_failure(*script: Scripted, **options: object) -> tuple[UnableToFetch, list[Asked]]:
    with answering(list(script)) as server:
        return failure(server.url, **options), server.asked


def test_a_server_that_is_down_is_told_from_one_that_is_slow() -> None:
    error = failure(f"http://127.0.0.1:{refusing_port()}")
    assert "is down or the address is wrong: nothing takes the connection" in str(error)
    assert not error.permanent


def test_a_name_that_does_not_resolve_is_said_to_be_the_name() -> None:
    with pytest.raises(UnableToFetch, match="is down or the address is wrong: its name cannot be resolved"):
        prometheus.fetch(question("http://prometheus.invalid:9090"))


def test_a_slow_server_is_given_up_after_the_read_timeout_and_never_asked_again() -> None:
    began = time.monotonic()
    error, asked = scripted_failure(Scripted(wait=30), read_timeout_seconds=1)
    assert time.monotonic() - began < 5
    assert "did not answer within 1 s: lower nodes_per_shard" in str(error)
    assert not error.permanent
    assert len(asked) == 1


def test_a_body_that_stops_half_way_is_given_up_after_the_read_timeout() -> None:
    error, asked = scripted_failure(Scripted(drip=30), read_timeout_seconds=1)
    assert "did not answer within 1 s" in str(error)
    assert len(asked) == 1


def test_a_body_that_drips_for_ever_is_given_up_after_the_answer_timeout() -> None:
    began = time.monotonic()
    error, _ = scripted_failure(
        Scripted(b" " * 10_000, drip=0.1), read_timeout_seconds=1, answer_timeout_seconds=1, max_response_bytes=10**6
    )
    assert "did not answer within 1 s" in str(error)
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("answer", [HTML, Scripted(HTML.body), Scripted(b"\n <html>", content_type="text/plain")])
def test_a_web_page_instead_of_json_is_a_log_in_or_a_wrong_path(answer: Scripted) -> None:
    error, _ = scripted_failure(answer)
    assert "answered with a web page instead of JSON: a log-in page or a wrong path" in str(error)
    assert error.permanent


def test_a_redirect_is_not_followed_to_the_log_in_page_and_its_query_is_not_repeated() -> None:
    away = Scripted(b"", 302, headers={"Location": "https://login.example.com/start?state=secret"})
    error, asked = scripted_failure(away)
    assert "redirects to https://login.example.com/start: a log-in page or an old address" in str(error)
    assert "secret" not in str(error)
    assert error.permanent
    assert len(asked) == 1


def test_success_without_success_is_an_error_with_its_reason() -> None:
    error, _ = scripted_failure(Scripted({"status": "error", "errorType": "internal", "error": "store is\nclosed"}))
    assert "answered 200 with an error: store is closed" in str(error)


@pytest.mark.parametrize("body", [{"status": "success"}, {"status": "success", "data": {"result": None}}])
def test_success_without_a_result_is_not_the_query_api(body: dict[str, object]) -> None:
    error, _ = scripted_failure(Scripted(body))
    assert "answered without data.result" in str(error)


@pytest.mark.parametrize(("status", "words"), [(401, "asks for a log-in (401)"), (403, "refuses this log-in (403)")])
def test_a_refused_log_in_names_the_options_to_check(status: int, words: str) -> None:
    error, asked = scripted_failure(Scripted(HTML.body, status, content_type="text/html"))
    assert words in str(error)
    assert "bearer_token_env" in str(error)
    assert error.permanent
    assert len(asked) == 1


def test_a_question_that_is_not_understood_gives_the_servers_reason() -> None:
    error, _ = scripted_failure(Scripted({"status": "error", "error": "parse error at char 7"}, 400))
    assert "does not understand the question (400): parse error at char 7" in str(error)
    assert error.permanent


def test_a_wrong_path_is_told() -> None:
    error, _ = scripted_failure(Scripted(b"404 page not found", 404, content_type="text/plain"))
    assert "has no /api/v1/query (404): check the path" in str(error)


def test_too_many_samples_says_which_limit_to_move_and_is_not_tried_again() -> None:
    reason = "query processing would load too many samples into memory in query execution"
    error, asked = scripted_failure(Scripted({"status": "error", "error": reason}, 422))
    assert reason in str(error)
    assert "lower nodes_per_shard of the source, or raise the engine's limit" in str(error)
    assert len(asked) == 1


def test_a_query_that_timed_out_on_the_server_is_not_run_again() -> None:
    error, asked = scripted_failure(Scripted({"status": "error", "error": "query timed out"}, 503))
    assert "gave up or is overloaded (503): query timed out" in str(error)
    assert not error.permanent
    assert len(asked) == 1


def test_any_other_status_is_told_with_what_reason_there_is() -> None:
    error, _ = scripted_failure(Scripted(b"oops", 500, content_type="text/plain"))
    assert "failed with HTTP 500: it gave no reason" in str(error)


@pytest.mark.parametrize("status", [502, 504])
def test_a_gateway_hiccup_is_tried_again_and_does_not_show(status: int) -> None:
    with answering([Scripted(b"", status), Scripted(b"", status), Scripted(EMPTY)]) as server:
        usage = prometheus.fetch(question(server.url))
        assert list(usage.nodes) == []
    assert usage.warnings == []
    assert server.asked[0].form == server.asked[1].form == server.asked[2].form


def test_a_gateway_that_stays_down_is_asked_three_times() -> None:
    error, asked = scripted_failure(Scripted(b"", 502))
    assert "failed with HTTP 502" in str(error)
    assert len(asked) == 3


def test_json_that_breaks_off_is_not_half_an_answer() -> None:
    whole = Scripted(EMPTY).raw
    error, _ = scripted_failure(Scripted(whole[:-5]))
    assert f"sent JSON that cannot be read to its end ({len(whole) - 5} bytes)" in str(error)


def test_a_connection_that_breaks_off_is_not_half_an_answer() -> None:
    error, asked = scripted_failure(Scripted(Scripted(EMPTY).raw, claimed=10_000))
    assert "broke off in the middle of an answer" in str(error)
    assert len(asked) == 3


def test_json_that_is_no_object_is_told() -> None:
    error, _ = scripted_failure(Scripted(b"[1, 2]"))
    assert "answered JSON that is no query result" in str(error)


def test_an_answer_beyond_the_size_cap_is_not_read_to_its_end() -> None:
    error, _ = scripted_failure(Scripted(b" " * 3_000_000), max_response_bytes=1_000_000)
    assert "sent more than 1000000 bytes in one answer: lower nodes_per_shard" in str(error)


@pytest.mark.parametrize(
    ("extra", "warnings"),
    [
        ({"warnings": ["no store matched", "no store matched"]}, ["no store matched"]),
        ({"isPartial": True}, ["the engine calls its answer partial"]),
        ({"infos": ["PromQL info: metric might not be a counter"]}, []),
        ({"infos": ["results are Partial"]}, ["results are Partial"]),
        ({"isPartial": False, "warnings": None, "infos": []}, []),
    ],
)
def test_an_answer_that_is_less_than_whole_says_so_once(extra: dict[str, object], warnings: list[str]) -> None:
    with answering([Scripted({**EMPTY, **extra})]) as server:
        usage = prometheus.fetch(question(server.url))
        list(usage.nodes)
    assert usage.warnings == warnings


def test_a_warning_that_comes_with_the_nodes_is_there_once_they_are_read() -> None:
    def script(asked: Asked) -> Scripted:
        if asked.form["query"].startswith("count by (node,"):
            node = {"node": "n1", "label_karpenter_k8s_aws_capacity_reservation_id": "cr-0aaa"}
            return Scripted({"status": "success", "data": {"result": [{"metric": node, "value": [1, "1"]}]}})
        late = "kube_node_status_capacity" in asked.form["query"] and "count" not in asked.form["query"]
        return Scripted({**EMPTY, "warnings": ["one shard is missing"] if late else []})

    with answering(script) as server:
        usage = prometheus.fetch(question(server.url))
        assert usage.warnings == []
        assert len(list(usage.nodes)) == 1
    assert usage.warnings == ["one shard is missing"]


def test_questions_go_in_the_body_at_an_exact_instant_and_forbid_partial_answers() -> None:
    with answering([Scripted()]) as server:
        prometheus.fetch(question(f"{server.url}/prom/"))
    for asked in server.asked:
        assert asked.path == "/prom/api/v1/query"
        assert asked.form["time"] == f"{int(END.timestamp()) + 45}.000"
        assert asked.form["partial_response"] == "false"
        assert asked.form["deny_partial_response"] == "1"
        assert asked.form["dedup"] == "true"
        assert asked.form["max_source_resolution"] == "0s"


def test_a_half_second_in_the_window_is_written_in_milliseconds() -> None:
    with answering([Scripted()]) as server:
        prometheus.fetch(question(server.url, scrape_interval_seconds=15))
    assert server.asked[0].form["time"] == f"{int(END.timestamp()) + 22}.500"
    assert "[3645000ms]" in server.asked[0].form["query"]


@pytest.mark.parametrize("entry", [1, {}, {"metric": []}, {"metric": {}, "value": 1}, {"value": [0, "1"]}])
def test_an_entry_that_is_no_series_is_said_and_not_raised(entry: object) -> None:
    error, _ = scripted_failure(Scripted({"status": "success", "data": {"resultType": "vector", "result": [entry]}}))
    assert "no series" in str(error)


@pytest.mark.parametrize("url", ["http://[::1", "http://127.0.0.1:99999", "http://127.0.0.1:abc"])
def test_an_address_that_cannot_be_read_is_said(url: str) -> None:
    with pytest.raises(UnableToFetch, match="no usable address"):
        prometheus.fetch(question(url))
