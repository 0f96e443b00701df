"""Checkpoints in S3 or what speaks its language: whether the last one is there, whole, and the one that was asked for.

AWS_ENDPOINT_URL_S3 names another endpoint, and credentials are those of this process. Needs s3:ListBucket (else what is
missing could not be told from what is forbidden) and s3:GetObject.
"""

import base64
import hashlib
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, PartialCredentialsError

from scheduler.domain.block_clock.manifest import (
    LARGEST,
    MANIFEST,
    Location,
    Manifest,
    UnableToReadManifest,
    manifest,
)
from scheduler.domain.block_clock.states import Trouble

CONFIG = Config(
    connect_timeout=3, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 2}, max_pool_connections=32
)
PIECE = 2**20
GONE = frozenset({"NoSuchKey", "404", "NotFound"})
FORBIDDEN = frozenset({"AccessDenied", "403", "Forbidden", "AllAccessDisabled", "AccountProblem"})
UNKNOWN_KEYS = frozenset(
    {"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "TokenRefreshRequired"}
)


class UnableToVerify(Exception):
    """No verified checkpoint; ``trouble`` says why in a word and the message in one sentence."""

    def __init__(self, trouble: Trouble, sentence: str) -> None:
        super().__init__(sentence)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Verified:
    """What was verified: how many objects, and how many of them had to be read for it."""

    objects: int
    read: int


class CheckpointStore:
    """One client for a whole pass, made when it is first needed; any number of threads may ask at once."""

    def __init__(self, *, timeout: timedelta, most_bytes: int) -> None:
        self._seconds = timeout.total_seconds()
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._made: Any = None

    def reach(self, place: Location) -> None:
        """See that the prefix may be read; UnableToVerify where it may not, or storage does not answer."""
        try:
            self._client().list_objects_v2(Bucket=place.bucket, Prefix=place.key(""), MaxKeys=1)
        except (ClientError, BotoCoreError, ValueError) as error:
            raise _unable(error, place) from error

    def verify(self, place: Location, stop_request: str) -> Verified:
        """See that the checkpoint for a stop request is whole, by the SHA-256 of every object; else UnableToVerify."""
        until = time.monotonic() + self._seconds
        try:
            told = self._manifest(place)
            if told.stop_request != stop_request:
                raise UnableToVerify(
                    Trouble.CHECKPOINT_OLD,
                    f"The checkpoint in {place} does not answer this stop request: it is older, or another's.",
                )
            read = sum(self._check(place, name, sha256, until) for name, sha256 in sorted(told.objects.items()))
        except (ClientError, BotoCoreError, ValueError) as error:
            raise _unable(error, place) from error
        return Verified(len(told.objects), read)

    def _manifest(self, place: Location) -> Manifest:
        try:
            answer = self._client().get_object(Bucket=place.bucket, Key=place.key(MANIFEST))
        except ClientError as error:
            if _code(error) in GONE:
                raise UnableToVerify(Trouble.CHECKPOINT_MISSING, f"There is no {MANIFEST} in {place} yet.") from error
            raise
        with closing(answer["Body"]) as body:
            text = body.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise UnableToVerify(
                Trouble.CHECKPOINT_UNREADABLE, f"{MANIFEST} in {place} is larger than {LARGEST} bytes."
            )
        try:
            return manifest(text)
        except UnableToReadManifest as unable:
            raise UnableToVerify(Trouble.CHECKPOINT_UNREADABLE, f"In {place}: {unable}") from unable

    def _check(self, place: Location, name: str, sha256: str, until: float) -> bool:
        """Whether an object had to be read to see that it is the one that was named."""
        if time.monotonic() > until:
            raise _too_slow(place, name)
        named = {"Bucket": place.bucket, "Key": place.key(name)}
        try:
            head = self._client().head_object(**named, ChecksumMode="ENABLED")
        except ClientError as error:
            if _code(error) not in GONE:
                raise
            sentence = f"{MANIFEST} in {place} names {name}, which is not there."
            raise UnableToVerify(Trouble.CHECKSUM_WRONG, sentence) from error
        kept = _kept_sha256(head)
        found = kept or self._read_sha256(place, name, head["ContentLength"], until)
        if found != sha256:
            sentence = f"{name} in {place} has another SHA-256 than its manifest says: the checkpoint is damaged."
            raise UnableToVerify(Trouble.CHECKSUM_WRONG, sentence)
        return kept is None

    def _read_sha256(self, place: Location, name: str, size: int, until: float) -> str:
        if size > self._most_bytes:
            raise _too_slow(place, name)
        digest = hashlib.sha256()
        with closing(self._client().get_object(Bucket=place.bucket, Key=place.key(name))["Body"]) as body:
            for piece in body.iter_chunks(PIECE):
                digest.update(piece)
                if time.monotonic() > until:
                    raise _too_slow(place, name)
        return digest.hexdigest()

    def _client(self) -> Any:
        with self._lock:
            if self._made is None:
                session = boto3.Session()
                region = session.region_name or "us-east-1"
                self._made = session.client("s3", region_name=region, config=CONFIG)
            return self._made


def _kept_sha256(head: Any) -> str | None:
    """The SHA-256 that storage keeps of the whole object, in hex; None where it keeps none, or one of its parts'."""
    kept = str(head.get("ChecksumSHA256") or "")
    if not kept or head.get("ChecksumType") == "COMPOSITE" or "-" in kept:
        return None
    return base64.b64decode(kept).hex()


def _too_slow(place: Location, name: str) -> UnableToVerify:
    return UnableToVerify(
        Trouble.CHECKPOINT_UNREADABLE,
        f"{name} in {place} cannot be read in time: upload it with a SHA-256 checksum that storage keeps.",
    )


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code") or "")


def _unable(error: Exception, place: Location) -> UnableToVerify:
    if isinstance(error, NoCredentialsError | PartialCredentialsError):
        return UnableToVerify(Trouble.NO_RIGHTS, f"There are no AWS credentials to read {place} with.")
    if not isinstance(error, ClientError):
        return UnableToVerify(Trouble.STORE_DOWN, f"The storage behind {place} cannot be reached.")
    code = _code(error)
    if code in FORBIDDEN:
        sentence = f"{place} may not be read: allow s3:ListBucket and s3:GetObject for it."
        return UnableToVerify(Trouble.NO_RIGHTS, sentence)
    if code == "NoSuchBucket":
        return UnableToVerify(Trouble.NO_RIGHTS, f"There is no bucket {place.bucket}.")
    if code in UNKNOWN_KEYS:
        return UnableToVerify(Trouble.NO_RIGHTS, f"{place} does not accept the AWS credentials ({code}).")
    return UnableToVerify(Trouble.STORE_DOWN, f"The storage behind {place} answered {code or 'nothing that is known'}.")
