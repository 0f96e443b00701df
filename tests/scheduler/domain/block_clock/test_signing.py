import hashlib
import json
from datetime import UTC, datetime

from scheduler.domain.block_clock.signing import StopRequest, headers

AT = datetime(2026, 6, 10, 10, 40, 0, 999_999, tzinfo=UTC)
REQUEST = StopRequest("0d9e", "läuft", "cr-0aaa", AT, AT, "s3://b-b/run")


def hmac_sha256(key: bytes, text: bytes) -> str:
    """RFC 2104, written out."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(one ^ 0x36 for one in padded) + text).digest()
    return hashlib.sha256(bytes(one ^ 0x5C for one in padded) + inner).hexdigest()


def test_the_signature_covers_the_time_and_every_byte_of_the_body() -> None:
    told = headers("a secret", REQUEST, AT)
    assert told["Moorage-Timestamp"] == "1781088000"
    signed = b"1781088000." + REQUEST.body()
    assert told["Moorage-Signature"] == f"sha256={hmac_sha256(b'a secret', signed)}"
    assert told["Idempotency-Key"] == "0d9e"


def test_the_same_request_has_the_same_body_each_time() -> None:
    assert REQUEST.body() == REQUEST.body()
    assert json.loads(REQUEST.body())["job"] == "läuft"
