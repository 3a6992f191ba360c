"""Blind signatures against the known answers of RFC 9474, and against those who cheat."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from governance.sealed.blind import (
    BlindSignatureError,
    blind,
    finalize,
    prepare,
    sign,
    verify,
)

VECTOR = json.loads((Path(__file__).parent / "vectors/rfc9474_randomized.json").read_text())


def number(name: str) -> int:
    return int(VECTOR[name].removeprefix("0x"), 16)


def octets(name: str) -> bytes:
    return bytes.fromhex(VECTOR[name].removeprefix("0x"))


def published() -> rsa.RSAPrivateKey:
    p, q, d = number("p"), number("q"), number("d")
    return rsa.RSAPrivateNumbers(
        p,
        q,
        d,
        rsa.rsa_crt_dmp1(d, p),
        rsa.rsa_crt_dmq1(d, q),
        rsa.rsa_crt_iqmp(p, q),
        rsa.RSAPublicNumbers(number("e"), number("n")),
    ).private_key()


@cache
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 3072)


def test_every_step_gives_the_known_answer_of_the_rfc() -> None:
    private = published()
    public = private.public_key()
    prepared = prepare(octets("msg"), prefix=octets("msg_prefix"))
    factor = pow(number("inv"), -1, number("n"))

    blinded, inverse = blind(public, prepared, salt=octets("salt"), factor=factor)

    assert (blinded, inverse) == (octets("blinded_msg"), number("inv"))
    answer = sign(private, blinded)
    assert answer == octets("blind_sig")
    assert finalize(public, prepared, answer, inverse) == octets("sig")
    assert verify(public, prepared, octets("sig"))


def test_a_pseudonym_is_signed_without_being_seen() -> None:
    public = key().public_key()
    prepared = prepare(b"a pseudonym")
    blinded, inverse = blind(public, prepared)
    signature = finalize(public, prepared, sign(key(), blinded), inverse)
    assert verify(public, prepared, signature)
    assert not verify(public, prepared + b".", signature)
    again, _ = blind(public, prepared)
    assert again != blinded  # what is shown tells nothing of what is in it


def test_the_same_question_has_the_same_answer() -> None:
    blinded, _ = blind(key().public_key(), prepare(b"a pseudonym"))
    assert sign(key(), blinded) == sign(key(), blinded)


def test_messages_are_prepared_with_other_bytes_each_time() -> None:
    first, second = prepare(b"x"), prepare(b"x")
    assert first != second
    assert (len(first), first[-1:]) == (33, b"x")


@pytest.mark.parametrize("blinded", [b"", b"\x01" * 383, b"\xff" * 384, b"\x00" * 385])
def test_what_is_no_blinded_message_is_not_signed(blinded: bytes) -> None:
    with pytest.raises(BlindSignatureError, match="not a blinded message"):
        sign(key(), blinded)


def test_a_registrar_that_answers_something_else_is_found_out() -> None:
    public = key().public_key()
    prepared = prepare(b"a pseudonym")
    blinded, inverse = blind(public, prepared)
    answer = sign(key(), blinded)
    other = rsa.generate_private_key(65537, 3072)
    for wrong in (answer[:-1] + bytes([answer[-1] ^ 1]), blinded, sign(other, b"\x01" * 384)):
        with pytest.raises(BlindSignatureError, match="no signature of this message"):
            finalize(public, prepared, wrong, inverse)
    with pytest.raises(BlindSignatureError, match="not as long as the key"):
        finalize(public, prepared, answer[1:], inverse)


def test_every_flipped_bit_of_a_signature_is_found() -> None:
    public = key().public_key()
    prepared = prepare(b"a pseudonym")
    blinded, inverse = blind(public, prepared)
    signature = finalize(public, prepared, sign(key(), blinded), inverse)
    for place in range(0, len(signature), 16):
        flipped = bytearray(signature)
        flipped[place] ^= 0x10
        assert not verify(public, prepared, bytes(flipped))
