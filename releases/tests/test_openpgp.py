"""Packets of OpenPGP: old and new lengths, what is cut off, armor as Sequoia writes it."""

from __future__ import annotations

import time

import pysequoia
import pytest

from releases import openpgp
from releases.openpgp import SIGNATURE, USER_ID, packet, read_packets
from releases.signer import certificate
from releases.signer.local import secret_of


@pytest.mark.parametrize("size", [0, 1, 191, 192, 8383, 8384, 70_000])
def test_a_packet_of_any_length_is_read_as_it_was_written(size: int) -> None:
    body = bytes(size)
    assert list(read_packets(packet(USER_ID, body) + packet(SIGNATURE, b"x"))) == [
        (USER_ID, body),
        (SIGNATURE, b"x"),
    ]


@pytest.mark.parametrize("head", [b"\xb4\x02", b"\xb5\x00\x02", b"\xb6\x00\x00\x00\x02"])
def test_the_old_form_is_read_too(head: bytes) -> None:
    assert list(read_packets(head + b"ab")) == [(USER_ID, b"ab")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x00", "not an OpenPGP"),
        (b"\xb7ab", "without a length"),
        (b"\xcd\xe1ab", "in parts"),
        (b"\xcd\x05ab", "cut off"),
    ],
)
def test_what_is_no_packet_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        list(read_packets(data))


def test_armor_is_that_of_sequoia() -> None:
    data = packet(SIGNATURE, bytes(range(200)))
    ours = openpgp.armor(data)
    theirs = pysequoia.armor(data, pysequoia.ArmorKind.Signature).encode()
    assert openpgp.dearmor(theirs) == openpgp.dearmor(ours) == data
    checksum = [line for line in theirs.splitlines() if line.startswith(b"=")]
    assert checksum == [line for line in ours.splitlines() if line.startswith(b"=")]


def test_who_signed_is_read_from_any_subpacket_length() -> None:
    fingerprint = bytes(range(20))
    issuer = bytes([22, 33, 4]) + fingerprint
    short, long = bytes([2, 9, 0]), b"\xc0\x10" + bytes([20]) + bytes(207)
    longest = b"\xff\x00\x00\x00\x03" + bytes([20, 0, 0])
    for before in (b"", short, long, longest):
        hashed = before + issuer
        body = b"\x04\x00\x01\x0a" + len(hashed).to_bytes(2, "big") + hashed
        assert openpgp.issuers(packet(SIGNATURE, body)) == [fingerprint.hex().upper()]
    nameless = b"\x04\x00\x01\x0a" + len(short).to_bytes(2, "big") + short
    assert openpgp.issuers(packet(SIGNATURE, nameless)) == [""]


def test_a_key_that_old_clients_do_not_read_is_refused() -> None:
    secret = secret_of("Test")
    (_, body), *rest = read_packets(secret)
    tail = b"".join(packet(tag, found) for tag, found in rest)
    for changed, reason in [
        (b"\x06" + body[1:], "version 4"),
        (body[:5] + b"\x11" + body[6:], "only RSA and Ed25519"),
        (body[:4], "cut off"),
        (body[:60], "cut off"),
    ]:
        with pytest.raises(ValueError, match=reason):
            certificate.read(packet(openpgp.SECRET_KEY, changed) + tail)
    with pytest.raises(ValueError, match="no user id"):
        certificate.read(packet(openpgp.SECRET_KEY, body))


def test_a_key_with_a_pass_phrase_is_refused() -> None:
    made = certificate.generate("K <k@example.org>", created=int(time.time()), algorithm="ed25519")
    (_, body), *rest = read_packets(made)
    begin = len(certificate.read(made).public)
    locked = body[:begin] + b"\xfe" + body[begin + 1 :]
    with pytest.raises(ValueError, match="pass phrase"):
        certificate.read(
            packet(openpgp.SECRET_KEY, locked) + b"".join(packet(tag, b) for tag, b in rest)
        )


def test_only_public_keys_of_version_4_have_facts() -> None:
    with pytest.raises(ValueError, match="not a public key"):
        certificate.read_public(secret_of("Test"))
    with pytest.raises(ValueError, match="version 4"):
        certificate.read_public(packet(openpgp.PUBLIC_KEY, b"\x06" + bytes(20)))
