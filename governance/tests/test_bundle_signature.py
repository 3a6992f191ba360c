"""Signatures of OpenPGP as the checker reads them: packets made by hand, right and wrong."""

import base64
import hashlib
import struct

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from governance.bundle import signature
from governance.bundle.signature import BadSignatureError, armor, fingerprint, verify

DATA = b"what was decided\n"
SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
MADE = struct.pack(">I", 1_700_000_000)


def public(*, algorithm: int = 22, version: int = 4, mark: bytes = b"\x40") -> bytes:
    point = mark + SECRET.public_key().public_bytes_raw()
    head = bytes([version]) + MADE + bytes([algorithm])
    return head + signature.CURVE + struct.pack(">H", 263) + point


def key(body: bytes | None = None, tag: int = 6) -> bytes:
    found = public() if body is None else body
    packet = bytes([0xC0 | tag, len(found)]) + found
    text = base64.b64encode(packet)
    return (
        b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n%b\n-----END PGP PUBLIC KEY BLOCK-----\n" % text
    )


def number(value: bytes) -> bytes:
    found = int.from_bytes(value, "big")
    return struct.pack(">H", found.bit_length()) + found.to_bytes((found.bit_length() + 7) // 8)


def body(
    *,
    data: bytes = DATA,
    version: int = 4,
    issuer: bytes | None = None,
    numbers: bytes | None = None,
    behind: bytes = b"",
) -> bytes:
    """The body of a signature of the data, as RFC 9580, 5.2.3 lays it out for version 4."""
    hashed = b"\x05\x02" + MADE
    head = struct.pack(">BBBBH", version, 0, 22, 10, len(hashed)) + hashed
    trailer = b"\x04\xff" + struct.pack(">I", len(head))
    digest = hashlib.sha512(data + head + trailer).digest()
    framed = b"\x99" + struct.pack(">H", len(public())) + public()
    named = b"\x09\x10" + (issuer or hashlib.sha1(framed, usedforsecurity=False).digest()[-8:])
    made = SECRET.sign(digest)
    told = number(made[:32]) + number(made[32:]) if numbers is None else numbers
    return head + struct.pack(">H", len(named)) + named + digest[:2] + told + behind


def signed(found: bytes, tag: int = 2) -> bytes:
    return armor(bytes([0xC0 | tag, len(found)]) + found)


def test_a_signature_that_was_laid_out_by_hand_is_verified() -> None:
    verify(DATA, signed(body()), key())
    assert fingerprint(key()) == fingerprint(key()).upper()
    assert len(fingerprint(key())) == 40


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (signed(body(data=b"other")), "the signature is of other bytes, or by another key"),
        (signed(body(issuer=bytes(8))), "the signature is of other bytes, or by another key"),
        (signed(body(version=5)), "not a signature of a file by Ed25519 and SHA-512"),
        (signed(body(), tag=6), "written down in another way than it was made"),
        (signed(body())[:-1], "written down in another way than it was made"),
        (signed(body()).replace(b"\n", b"\r\n"), "written down in another way"),
        (signed(body(behind=b"\x00")), "something stands behind the signature"),
        (signed(body(numbers=b"\x00\x09\x00\x01\x00\x01\x01")), "a number of the signature is"),
        (signed(body(numbers=b"\x00\x08\xff\x00\x20\x01")), "a number of the signature is"),
        (signed(body(numbers=number(b"\x01" * 32) * 2)), "the signature does not fit the bytes"),
        (signed(body(numbers=b"")), "cannot be read"),
        (signed(b"\x04"), "cannot be read"),
        (armor(b"\xc2\x20short"), "a packet is cut off"),
        (armor(b"\xc2\xff\x00\x00\x00\x01x"), "a packet has an unknown length"),
        (armor(b""), "cannot be read"),
        (b"-----BEGIN PGP SIGNATURE-----\n\n*\n-----END PGP SIGNATURE-----\n", "cannot be read"),
    ],
)
def test_a_signature_that_is_none_is_told(made: bytes, told: str) -> None:
    with pytest.raises(BadSignatureError, match=told):
        verify(DATA, made, key())


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (key(public(algorithm=1)), "this is not an Ed25519 key"),
        (key(public(version=6)), "this is not an Ed25519 key"),
        (key(tag=2), "this is not an Ed25519 key"),
        (key(b""), "this is not an Ed25519 key"),
        (key(public(mark=b"\x41")), "not written as Ed25519 keys are|another key"),
        (key(public() + b"\x00"), "not written as Ed25519 keys are|another key"),
        (b"", "the public key cannot be read"),
        (b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n!!\n", "the public key cannot be read"),
    ],
)
def test_a_key_that_is_none_is_told(found: bytes, told: str) -> None:
    with pytest.raises(BadSignatureError, match=told):
        verify(DATA, signed(body()), found)


def test_a_key_of_another_shape_is_refused_before_it_is_used() -> None:
    for point in (public(mark=b"\x41"), public() + b"\x00"):
        with pytest.raises(BadSignatureError, match="not written as Ed25519 keys are"):
            signature._point(point)


@pytest.mark.parametrize(
    "packet",
    [
        b"\xc2\x03abc",  # the new form, one byte of length
        b"\x88\x03abc",  # the old form, one byte
        b"\x89\x00\x03abc",  # the old form, two bytes
    ],
)
def test_packets_are_read_in_every_form_that_programs_write(packet: bytes) -> None:
    assert signature._packets(packet) == [(2, b"abc")]
    assert signature._packets(packet * 2) == [(2, b"abc")] * 2


def test_a_long_packet_has_two_bytes_of_length() -> None:
    assert signature._packets(b"\xc2\xc0\x08" + b"x" * 200) == [(2, b"x" * 200)]
