import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.block_clock.manifest import (
    Location,
    UnableToReadLocation,
    UnableToReadManifest,
    location,
    manifest,
)


def test_a_location_is_a_bucket_and_a_prefix() -> None:
    assert location("s3://checkpoints/team/run-1/") == Location("checkpoints", "team/run-1")
    assert str(location("s3://checkpoints/run")) == "s3://checkpoints/run"
    assert location("s3://checkpoints/run").key("a/b.pt") == "run/a/b.pt"


@pytest.mark.parametrize(
    "text",
    ["", "checkpoints/run", "https://checkpoints/run", "s3://Checkpoints/run", "s3://ab/run", "s3://a..b/run",
     "s3://10.0.0.1/run", "s3://checkpoints", "s3://checkpoints/", "s3://checkpoints//run", "s3://checkpoints/a//b",
     "s3://checkpoints/a\nb", "s3://checkpoints/..", "s3://checkpoints/./a", "s3://checkpoints/a/../b",
     "s3://checkpoints/a/.", "s3://checkpoints/\ud800", "s3://checkpoints/" + "ä" * 500],
)  # fmt: skip
def test_what_is_no_location_is_told_in_one_sentence(text: str) -> None:
    with pytest.raises(UnableToReadLocation, match=r"\.$"):
        location(text)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_manifest_or_told_to_be_none(text: bytes) -> None:
    with suppress(UnableToReadManifest):
        assert manifest(text).objects


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "\x1b[2J", "a\x85b", "a\x7f", "\ud800", "rank\udfff.pt"])
def test_a_name_with_control_characters_or_lone_surrogates_is_told_in_words_that_can_be_kept(name: str) -> None:
    text = json.dumps({"stop_request": "0d9e", "objects": {name: "0" * 64}}).encode()
    with pytest.raises(UnableToReadManifest, match="control characters or halves of a character") as unable:
        manifest(text)
    assert str(unable.value).encode().decode().isprintable()


def test_any_other_letter_may_stand_in_a_name() -> None:
    text = json.dumps({"stop_request": "0d9e", "objects": {"gewichte/größe 1 😀.pt": "0" * 64}}).encode()
    assert list(manifest(text).objects) == ["gewichte/größe 1 😀.pt"]


def test_dots_are_part_of_a_name_where_they_are_not_all_of_it() -> None:
    assert location("s3://checkpoints/..a/b.c/...").prefix == "..a/b.c/..."


@pytest.mark.parametrize("name", ["./w", "a/./w", "../w", "a//w", "/w", "w/", ""])
def test_a_name_with_a_part_that_clients_resolve_is_told_to_be_no_key(name: str) -> None:
    text = json.dumps({"stop_request": "0d9e", "objects": {name: "0" * 64}}).encode()
    with pytest.raises(UnableToReadManifest, match="that no key is"):
        manifest(text)
