"""Sealed envelopes: opened where they belong alone, equally long, safe from changes."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from governance.sealed import envelope
from governance.sealed.envelope import EnvelopeError, open_envelope, overhead, seal

SIZE = 128
CONTEST = b"2026-council/contributors"
KEY = ec.generate_private_key(ec.SECP256R1())


def sealed(text: bytes = b"a ballot", bound: bytes = CONTEST) -> bytes:
    return seal(text, to=KEY.public_key(), bound=bound, size=SIZE)


def test_what_is_sealed_is_opened_by_the_key() -> None:
    for text in (b"", b"a ballot", b"\x00\x00", b"x" * (SIZE - 2)):
        assert open_envelope(sealed(text), key=KEY, bound=CONTEST) == text


def test_all_envelopes_are_equally_long_and_none_is_like_another() -> None:
    found = [sealed(b"x" * length) for length in (0, 1, 50, SIZE - 2)] + [sealed(), sealed()]
    assert {len(one) for one in found} == {SIZE + overhead()}
    assert len(set(found)) == len(found)


def test_a_ballot_that_does_not_fit_is_refused() -> None:
    with pytest.raises(EnvelopeError, match="has 127 bytes, 126 fit"):
        sealed(b"x" * (SIZE - 1))


def test_every_flipped_byte_is_found() -> None:
    whole = sealed()
    for place in range(len(whole)):
        flipped = bytearray(whole)
        flipped[place] ^= 1
        with pytest.raises(EnvelopeError):
            open_envelope(bytes(flipped), key=KEY, bound=CONTEST)


@pytest.mark.parametrize("length", [0, 10, 65, 77, 80, SIZE])
def test_a_piece_of_an_envelope_is_refused(length: int) -> None:
    with pytest.raises(EnvelopeError):
        open_envelope(sealed()[:length], key=KEY, bound=CONTEST)


def test_an_envelope_that_is_bound_to_something_else_or_another_key_is_refused() -> None:
    with pytest.raises(EnvelopeError):
        open_envelope(sealed(), key=KEY, bound=b"2026-council/members")
    with pytest.raises(EnvelopeError):
        open_envelope(sealed(), key=ec.generate_private_key(ec.SECP256R1()), bound=CONTEST)


@pytest.mark.parametrize("padded", [b"\x00\x05ab", b"\x00\x01ab"], ids=["too long", "not zero"])
def test_what_is_padded_otherwise_is_refused(padded: bytes) -> None:
    """The voter alone can write such a one; but two programs that read it must not differ."""
    own = ec.generate_private_key(envelope.CURVE)
    point = own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    key = envelope._key(own.exchange(ec.ECDH(), KEY.public_key()), point, CONTEST)
    whole = point + bytes(12) + AESGCM(key).encrypt(bytes(12), padded, CONTEST)
    with pytest.raises(EnvelopeError, match="not padded"):
        open_envelope(whole, key=KEY, bound=CONTEST)
