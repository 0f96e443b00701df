import base64

import pytest
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import hashes, hmac
from hypothesis import given
from hypothesis import strategies as st

from reservations.services.sealed import PURPOSE, UnableToOpen, opened, sealed


@given(st.text())
def test_what_was_sealed_is_opened_again(text: str) -> None:
    assert opened(sealed(text)) == text


def test_what_is_stored_neither_shows_the_secret_nor_repeats_itself() -> None:
    first, second = sealed("whsec-0123456789"), sealed("whsec-0123456789")
    assert first != second
    assert "whsec" not in first
    assert b"whsec" not in base64.urlsafe_b64decode(first)


def test_after_a_rotation_the_former_key_opens_and_the_new_one_seals(settings: object) -> None:
    settings.SECRET_KEY = "the first of two keys"
    before = sealed("swordfish")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the second of two keys", ["the first of two keys"]
    assert opened(before) == "swordfish"
    after = sealed("swordfish")
    settings.SECRET_KEY_FALLBACKS = []
    assert opened(after) == "swordfish"


@pytest.mark.parametrize("how", ["altered", "another key", "no token", "not ascii"])
def test_what_cannot_be_opened_is_told_in_a_sentence_without_the_secret(settings: object, how: str) -> None:
    kept = sealed("swordfish")
    if how == "altered":
        kept = kept[:20] + ("A" if kept[20] != "A" else "B") + kept[21:]
    elif how == "another key":
        settings.SECRET_KEY = "somebody else's key"
    else:
        kept = {"no token": "nonsense", "not ascii": "ä"}[how]
    with pytest.raises(UnableToOpen, match=r"^A stored secret cannot be read with today") as unable:
        opened(kept)
    assert "swordfish" not in str(unable.value)


def test_the_key_is_the_one_that_hkdf_over_the_setting_gives(settings: object) -> None:
    def mac(key: bytes, data: bytes) -> bytes:
        made = hmac.HMAC(key, hashes.SHA256())
        made.update(data)
        return made.finalize()

    pseudorandom = mac(bytes(32), settings.SECRET_KEY.encode())  # RFC 5869, one round gives 32 bytes
    key = mac(pseudorandom, PURPOSE + b"\x01")
    assert Fernet(base64.urlsafe_b64encode(key)).decrypt(sealed("swordfish").encode()) == b"swordfish"
