"""The store against a server that answers as S3 does."""

import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from scheduler.domain.block_clock.manifest import MANIFEST, location
from scheduler.domain.block_clock.states import Trouble
from scheduler.trainers.checkpoint_store import CheckpointStore, UnableToVerify, Verified
from tests.fixtures.prometheus import free_port
from tests.fixtures.trainer import BUCKET

PLACE = location(f"s3://{BUCKET}/run-1")
DATA = b"a tensor or two" * 1000
STOP = "0d9e"


def store(seconds: float = 30, most_bytes: int = 10_000_000) -> CheckpointStore:
    return CheckpointStore(timeout=timedelta(seconds=seconds), most_bytes=most_bytes)


def put(storage: Any, name: str, data: bytes, **how: Any) -> None:
    storage.put_object(Bucket=BUCKET, Key=f"run-1/{name}", Body=data, **how)


def put_manifest(storage: Any, objects: dict[str, bytes], stop_request: str = STOP) -> None:
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in objects.items()}
    put(storage, MANIFEST, json.dumps({"stop_request": stop_request, "objects": sums}).encode())


def trouble(seconds: float = 30, most_bytes: int = 10_000_000) -> tuple[Trouble, str]:
    with pytest.raises(UnableToVerify) as unable:
        store(seconds, most_bytes).verify(PLACE, STOP)
    assert str(unable.value).endswith(".")
    return unable.value.trouble, str(unable.value)


def test_a_checksum_that_storage_keeps_is_believed_and_nothing_is_read(storage: Any) -> None:
    put(storage, "rank-0.pt", DATA, ChecksumAlgorithm="SHA256")
    put_manifest(storage, {"rank-0.pt": DATA})
    assert store(most_bytes=0).verify(PLACE, STOP) == Verified(objects=1, read=0)


def test_without_one_the_object_is_read(storage: Any) -> None:
    put(storage, "rank-0.pt", DATA, ChecksumAlgorithm="CRC32")
    put(storage, "deep/er/rank-1.pt", DATA, ChecksumAlgorithm="SHA256")
    put_manifest(storage, {"rank-0.pt": DATA, "deep/er/rank-1.pt": DATA})
    assert store().verify(PLACE, STOP) == Verified(objects=2, read=1)


@pytest.mark.parametrize("how", ["SHA256", "CRC32"])
def test_an_object_that_is_not_what_its_manifest_says_is_named(storage: Any, how: str) -> None:
    put(storage, "rank-0.pt", DATA[:-1], ChecksumAlgorithm=how)
    put_manifest(storage, {"rank-0.pt": DATA})
    word, sentence = trouble()
    assert word is Trouble.CHECKSUM_WRONG
    assert "rank-0.pt" in sentence


def test_an_object_that_is_not_there_is_named(storage: Any) -> None:
    put_manifest(storage, {"rank-0.pt": DATA})
    assert trouble() == (Trouble.CHECKSUM_WRONG, f"{MANIFEST} in {PLACE} names rank-0.pt, which is not there.")


def test_no_manifest_is_no_checkpoint(storage: Any) -> None:
    put(storage, "rank-0.pt", DATA)
    assert trouble()[0] is Trouble.CHECKPOINT_MISSING


def test_a_checkpoint_for_another_request_is_older(storage: Any) -> None:
    put(storage, "rank-0.pt", DATA)
    put_manifest(storage, {"rank-0.pt": DATA}, "another")
    assert trouble()[0] is Trouble.CHECKPOINT_OLD


@pytest.mark.parametrize(
    "text",
    [
        b"\xff",
        b"[]",
        b'{"objects": {"a": "0"}}',
        b'{"stop_request": "0d9e"}',
        b'{"stop_request": "0d9e", "objects": {}}',
        b'{"stop_request": "0d9e", "objects": {"a": "00"}}',
        b'{"stop_request": "0d9e", "objects": {"../a": "' + b"0" * 64 + b'"}}',
        b'{"stop_request": "0d9e", "objects": {"moorage-checkpoint.json": "' + b"0" * 64 + b'"}}',
        b"[" * 100_000,
    ],
)
def test_a_manifest_that_is_not_as_agreed_is_told(storage: Any, text: bytes) -> None:
    put(storage, MANIFEST, text)
    assert trouble()[0] is Trouble.CHECKPOINT_UNREADABLE


def test_what_is_too_large_or_too_slow_to_read_asks_for_a_checksum_in_storage(storage: Any) -> None:
    put(storage, "rank-0.pt", DATA, ChecksumAlgorithm="CRC32")
    put_manifest(storage, {"rank-0.pt": DATA})
    for word, sentence in (trouble(most_bytes=len(DATA) - 1), trouble(seconds=-1)):
        assert word is Trouble.CHECKPOINT_UNREADABLE
        assert "upload it with a SHA-256 checksum" in sentence


def test_storage_that_does_not_answer_is_down(storage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{free_port()}")
    assert trouble() == (Trouble.STORE_DOWN, f"The storage behind {PLACE} cannot be reached.")


def test_a_bucket_that_there_is_not_is_told_at_once(storage: Any) -> None:
    with pytest.raises(UnableToVerify, match=r"^There is no bucket no-such\.$"):
        store().reach(location("s3://no-such/run"))
    store().reach(PLACE)


@pytest.mark.parametrize(
    ("code", "word", "said"),
    [
        ("AccessDenied", Trouble.NO_RIGHTS, "allow s3:ListBucket and s3:GetObject"),
        ("InvalidAccessKeyId", Trouble.NO_RIGHTS, "does not accept the AWS credentials"),
        ("SlowDown", Trouble.STORE_DOWN, "answered SlowDown"),
    ],
)
def test_every_refusal_has_its_own_sentence(
    storage: Any, monkeypatch: pytest.MonkeyPatch, code: str, word: Trouble, said: str
) -> None:
    class Refusing:
        def get_object(self, **given: object) -> None:
            raise ClientError({"Error": {"Code": code, "Message": "no"}}, "GetObject")

    monkeypatch.setattr(CheckpointStore, "_client", lambda self: Refusing())
    found, sentence = trouble()
    assert found is word
    assert said in sentence


def test_without_credentials_that_is_what_is_said(storage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
    assert trouble() == (Trouble.NO_RIGHTS, f"There are no AWS credentials to read {PLACE} with.")


@pytest.mark.parametrize("name", ["\ud800", "a\0b"])
def test_a_name_that_is_no_text_is_a_fault_of_the_manifest_and_not_of_storage(storage: Any, name: str) -> None:
    put(storage, MANIFEST, json.dumps({"stop_request": STOP, "objects": {name: "0" * 64}}).encode())
    word, sentence = trouble()
    assert word is Trouble.CHECKPOINT_UNREADABLE
    assert sentence.startswith(f"In {PLACE}: {MANIFEST} names an object with control characters")
