"""The connection to a Prometheus-compatible engine: bounded in time and size, honest about partial answers."""

import time
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

import requests
from prometheus_api_client.prometheus_connect import PrometheusConnect
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError, ReadTimeoutError

from telemetry.domain.sample import UnableToFetch
from telemetry.sources.prometheus.answers import Reply, answer
from telemetry.sources.prometheus.credentials import login
from telemetry.sources.prometheus.names import Access, Limits

PAUSES_SECONDS = (0.2, 0.6)
"""Waits before a second and a third try; a broken connection or a gateway hiccup is over by then or it is down."""

GATEWAY_STATUSES = frozenset({502, 504})
"""Worth another try. Never 503 (Prometheus' own query time-out: a retry runs the heaviest question again) nor 422."""

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})

WHOLE_ANSWERS_ONLY = {
    "dedup": "true",
    "partial_response": "false",
    "max_source_resolution": "0s",
    "deny_partial_response": "1",
    "nocache": "1",
}
"""For Thanos and VictoriaMetrics; Prometheus, Mimir and Amazon pass over parameters they do not know."""


class PrometheusEngine(PrometheusConnect):
    """A PrometheusConnect whose questions go by POST form, in exact time, with every warning kept.

    ``warnings`` collects, in order and once each, all that makes an answer less than whole.
    """

    def __init__(self, name: str, url: str, *, session: requests.Session, limits: Limits, access: Access) -> None:
        address = url.rstrip("/")
        if not _usable(address):
            raise UnableToFetch(f"source “{name}” has no usable address “{shown(url)}”: write http(s)://host:port")
        pooled = session.adapters.get(address)
        try:
            super().__init__(
                url=address, headers=_headers(address, access), auth=cast(Any, login(access)), session=session
            )
        except UnableToFetch as error:
            raise UnableToFetch(f"source “{name}” at {shown(url)}: {error}", permanent=error.permanent) from error
        # the library mounts an adapter that retries slow questions, and a new one each time
        session.mount(address, pooled or HTTPAdapter())
        _settle_environment(session, address)
        self.place = f"source “{name}” at {shown(url)}"
        self.limits = limits
        self.warnings: list[str] = []

    def ask(self, query: str, at_ms: int) -> list[dict[str, Any]]:
        """The series an instant query finds at a millisecond; UnableToFetch, naming the source and the cure."""
        return self.custom_query(query, {"time": f"{at_ms // 1000}.{at_ms % 1000:03d}"})

    def custom_query(
        self, query: str, params: Mapping[str, Any] | None = None, timeout: int | None = None
    ) -> list[dict[str, Any]]:
        """As the library's, but with this class's promises; ``timeout`` in seconds replaces the read time-out."""
        read = timeout or self.limits.read_timeout_seconds
        form = {"query": query, "timeout": f"{read:g}s", **WHOLE_ANSWERS_ONLY, **(params or {})}
        found = answer(self._reply(form, read), self.place)
        for text in found.warnings:
            if text not in self.warnings:
                self.warnings.append(text)
        return found.result

    def _reply(self, form: Mapping[str, str], read_timeout: float) -> Reply:
        for pause in (*PAUSES_SECONDS, None):
            try:
                reply = self._post(form, read_timeout)
            except (requests.exceptions.RequestException, HTTPError) as error:
                if _is_read_timeout(error):
                    raise self._too_slow(read_timeout) from error
                if pause is None or not _worth_another_try(error):
                    raise self._unreachable(error) from error
            else:
                if pause is None or reply.status not in GATEWAY_STATUSES:
                    return reply
            time.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _post(self, form: Mapping[str, str], read_timeout: float) -> Reply:
        deadline = time.monotonic() + self.limits.answer_timeout_seconds
        with self._session.post(
            f"{self.url}/api/v1/query",
            data=form,
            headers=self.headers,
            auth=self.auth,
            timeout=(self.limits.connect_timeout_seconds, read_timeout),
            allow_redirects=False,
            stream=True,
        ) as response:
            body = self._body(response, deadline)
            headers = response.headers
            return Reply(
                response.status_code, headers.get("Content-Type", "").lower(), body, shown(headers.get("Location", ""))
            )

    def _body(self, response: requests.Response, deadline: float) -> bytes:
        pieces, size = [], 0
        # read1 hands over what has arrived; iter_content would wait for a whole piece, however slowly it drips in
        while piece := response.raw.read1(1 << 17, decode_content=True):
            pieces.append(piece)
            size += len(piece)
            if size > self.limits.max_response_bytes:
                raise UnableToFetch(
                    f"{self.place} sent more than {self.limits.max_response_bytes} bytes in one answer: "
                    "lower nodes_per_shard of the source, or raise max_response_bytes",
                    permanent=True,
                )
            if time.monotonic() > deadline:
                raise self._too_slow(self.limits.answer_timeout_seconds)
        return b"".join(pieces)

    def _too_slow(self, seconds: float) -> UnableToFetch:
        mend = "lower nodes_per_shard of the source, or raise read_timeout_seconds and answer_timeout_seconds"
        return UnableToFetch(f"{self.place} did not answer within {seconds:g} s: {mend}")

    def _unreachable(self, error: Exception) -> UnableToFetch:
        if isinstance(error, requests.exceptions.ConnectTimeout):
            return UnableToFetch(
                f"{self.place} took no connection within {self.limits.connect_timeout_seconds:g} s: "
                "check the address, the network and its firewall"
            )
        if isinstance(error, requests.exceptions.SSLError):
            return UnableToFetch(f"{self.place} has a certificate that cannot be trusted: check it, or the address")
        if isinstance(error, HTTPError):
            return UnableToFetch(f"{self.place} broke off in the middle of an answer: does a proxy cut it short?")
        if isinstance(error, requests.exceptions.ConnectionError):
            why = "its name cannot be resolved" if "NameResolution" in repr(error) else "nothing takes the connection"
            return UnableToFetch(f"{self.place} is down or the address is wrong: {why}")
        return UnableToFetch(f"{self.place} cannot be asked: {type(error).__name__}")


def _headers(address: str, access: Access) -> dict[str, str]:
    # on one machine, packing an answer costs more than sending it
    plain = {"Accept-Encoding": "identity"} if urlsplit(address).hostname in LOOPBACK else {}
    return {**plain, **access.headers}


def _usable(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def _settle_environment(session: requests.Session, address: str) -> None:
    """Take proxies and certificates from the environment once, not anew for every question; never a log-in."""
    if session.trust_env:
        settled = session.merge_environment_settings(address, {}, None, None, None)
        session.proxies, session.verify = dict(settled["proxies"]), settled["verify"]
        session.trust_env = False


def shown(url: str) -> str:
    """An address without the credentials and the query it may carry, for messages."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "an address that cannot be read"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _worth_another_try(error: Exception) -> bool:
    hopeless = requests.exceptions.SSLError | requests.exceptions.ConnectTimeout
    return isinstance(error, requests.exceptions.ConnectionError | HTTPError) and not isinstance(error, hopeless)


def _is_read_timeout(error: Exception) -> bool:
    return isinstance(error, requests.exceptions.ReadTimeout | ReadTimeoutError)
