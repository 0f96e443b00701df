"""The protocol of a final checkpoint: its objects first, then ``moorage-checkpoint.json`` beside them, last.

The manifest is JSON: ``{"stop_request": "<id>", "objects": {"<key below the prefix>": "<SHA-256 in hex>"}}``. Since it
comes last, whoever can read it knows that every object it names was written before.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

MANIFEST = "moorage-checkpoint.json"
LARGEST = 16 * 2**20
MOST_OBJECTS = 10_000
LONGEST_KEY = 1024
SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
NO_PARTS = frozenset({"", ".", ".."})
UNSTORABLE = frozenset({"Cc", "Cs"})
BUCKET = re.compile(r"(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", re.ASCII)


class UnableToReadManifest(ValueError):
    """A manifest that is not as agreed; the message is one sentence."""


class UnableToReadLocation(ValueError):
    """A location that is not ``s3://bucket/prefix``; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Location:
    """A bucket and a prefix in it, without the slash at its end."""

    bucket: str
    prefix: str

    def key(self, name: str) -> str:
        """The whole key of an object below the prefix."""
        return f"{self.prefix}/{name}"

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Which stop request a checkpoint answers, and the SHA-256 of each of its objects in hex."""

    stop_request: str
    objects: Mapping[str, str]


def location(text: str) -> Location:
    """A location written as ``s3://bucket/prefix``; UnableToReadLocation otherwise, also for a bucket as a whole."""
    bucket, slash, prefix = text.removeprefix("s3://").partition("/")
    prefix = prefix.rstrip("/")
    if not text.startswith("s3://") or not BUCKET.fullmatch(bucket) or ".." in bucket:
        raise UnableToReadLocation(f"“{text[:200]}” is not a place in S3: write it as s3://bucket/prefix.")
    if not slash or not prefix:
        raise UnableToReadLocation(f"“{text[:200]}” is a whole bucket: name the prefix of this job's checkpoints.")
    if not NO_PARTS.isdisjoint(prefix.split("/")):
        raise UnableToReadLocation(
            "A prefix holds no part that is empty, “.” or “..”: clients resolve these otherwise."
        )
    if not is_storable(prefix) or not _fits(prefix):
        raise UnableToReadLocation("A prefix holds no control character, and at most 800 bytes.")
    return Location(bucket, prefix)


def manifest(text: bytes) -> Manifest:
    """What a manifest says; UnableToReadManifest where it is not as agreed."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnableToReadManifest(f"{MANIFEST} is not JSON.") from error
    if not isinstance(said, dict):
        raise UnableToReadManifest(f"{MANIFEST} is not an object with stop_request and objects.")
    stop_request, objects = said.get("stop_request"), said.get("objects")
    if not isinstance(stop_request, str):
        raise UnableToReadManifest(f"{MANIFEST} does not name its stop_request.")
    if not isinstance(objects, dict) or not 0 < len(objects) <= MOST_OBJECTS:
        raise UnableToReadManifest(f"{MANIFEST} does not name its objects: 1 to {MOST_OBJECTS} of them.")
    for name, sha256 in objects.items():
        _check_object(name, sha256)
    return Manifest(stop_request, objects)


def _check_object(name: str, sha256: object) -> None:
    if not is_storable(name):
        raise UnableToReadManifest(f"{MANIFEST} names an object with control characters or halves of a character.")
    if name == MANIFEST or not NO_PARTS.isdisjoint(name.split("/")) or len(name.encode()) > LONGEST_KEY:
        raise UnableToReadManifest(f"{MANIFEST} names an object that no key is: “{name[:80]}”.")
    if not isinstance(sha256, str) or not SHA256.fullmatch(sha256):
        raise UnableToReadManifest(f"{MANIFEST} has no SHA-256 in hex of “{name[:80]}”.")


def is_storable(text: str) -> bool:
    """Whether a text holds no control character and no lone surrogate: neither can be kept or sent on."""
    return all(unicodedata.category(sign) not in UNSTORABLE for sign in text)


def _fits(prefix: str) -> bool:
    return len(prefix.encode()) <= 800
