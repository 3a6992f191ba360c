"""The outside of an rpm: digests are compared, a signature goes in, rpm itself agrees."""

from __future__ import annotations

import io
import random
import subprocess
from pathlib import Path

import pytest

from releases.repository import rpm, yum
from releases.signer import key
from releases.signer.local import LocalSigner
from releases.tests import factory
from tests.programs import need

PACKAGE = factory.rpm()


def signed(signer: LocalSigner, data: bytes = PACKAGE) -> bytes:
    outside = rpm.check(io.BytesIO(data))
    front = rpm.signed_front(outside, signer.sign_rpm_header("exampledb", outside.header))
    return front + data[outside.payload_at :]


def test_a_signed_rpm_keeps_its_header_and_payload(signer: LocalSigner) -> None:
    before, after = rpm.read(io.BytesIO(PACKAGE)), rpm.check(io.BytesIO(signed(signer)))
    assert after.header == before.header
    assert rpm.signature_of(before) is None
    assert rpm.signature_of(after) is not None


def test_a_second_signature_takes_the_place_of_the_first(signer: LocalSigner) -> None:
    twice = signed(signer, signed(signer))
    assert abs(len(twice) - len(signed(signer))) <= 8


@pytest.mark.parametrize(("algorithm", "name"), [("rsa2048", "RSA"), ("ed25519", "EdDSA")])
def test_rpm_itself_accepts_the_signature(
    signer: LocalSigner, tmp_path: Path, algorithm: str, name: str
) -> None:
    (rpmkeys,) = need("rpmkeys")
    key.add(
        signer.register,
        name="own",
        user_id="Own <own@example.org>",
        algorithm=algorithm,
        scope="exampledb",
        at_once=True,
    )
    (tmp_path / "key.asc").write_text(signer.public_keys()[-1].armored)
    (tmp_path / "package.rpm").write_bytes(signed(signer))

    def run(*words: str) -> str:
        command = [rpmkeys, "--dbpath", str(tmp_path / "db"), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout

    run("--import", str(tmp_path / "key.asc"))
    told = run("-Kv", str(tmp_path / "package.rpm"))
    assert f"Header V4 {name}/SHA512 Signature" in told
    assert "NOT OK" not in told
    assert "NOKEY" not in told


def test_a_flipped_bit_is_found_wherever_the_digests_reach() -> None:
    chance = random.Random(7)
    outside = rpm.read(io.BytesIO(PACKAGE))
    begin = outside.payload_at - len(outside.header)
    for _ in range(300):
        data = bytearray(PACKAGE)
        data[chance.randrange(begin, len(data))] ^= 1 << chance.randrange(8)
        with pytest.raises(rpm.RpmError):
            rpm.check(io.BytesIO(bytes(data)))


def test_garbage_never_raises_anything_else() -> None:
    chance = random.Random(8)
    for _ in range(300):
        data = bytearray(PACKAGE)
        for _ in range(chance.randrange(1, 20)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            rpm.check(io.BytesIO(bytes(data)))
        except rpm.RpmError:
            continue


@pytest.mark.parametrize("length", [0, 50, 96, 100, 200, 340, 900, len(PACKAGE) - 1])
def test_an_rpm_cut_off_anywhere_is_refused(length: int) -> None:
    with pytest.raises(rpm.RpmError):
        rpm.check(io.BytesIO(PACKAGE[:length]))


def test_an_old_signature_form_is_not_written() -> None:
    outside = rpm.read(io.BytesIO(PACKAGE))
    with pytest.raises(rpm.RpmError, match="new format"):
        rpm.signed_front(outside, b"\x89" + bytes(20))
    with pytest.raises(rpm.RpmError, match="version 4"):
        rpm.signed_front(outside, b"\xc2\x10\x06" + bytes(20))


def entry(tag: int, kind: int, offset: int, count: int) -> bytes:
    return rpm.ENTRY.pack(tag, kind, offset, count)


BAD_HEADERS = {
    "another magic": bytes(16),
    "too many entries": rpm.INTRO.pack(rpm.HEADER_MAGIC, 10**6, 8),
    "too large": rpm.INTRO.pack(rpm.HEADER_MAGIC, 1, 2**31),
    "a tag twice": rpm.INTRO.pack(rpm.HEADER_MAGIC, 2, 1) + entry(1, 7, 0, 1) * 2 + b"x",
    "an offset outside": rpm.INTRO.pack(rpm.HEADER_MAGIC, 1, 1) + entry(1, 7, 9, 1) + b"x",
    "a value outside": rpm.INTRO.pack(rpm.HEADER_MAGIC, 1, 1) + entry(1, 7, 0, 9) + b"x",
    "an unknown type": rpm.INTRO.pack(rpm.HEADER_MAGIC, 1, 1) + entry(1, 77, 0, 1) + b"x",
    "a text without end": rpm.INTRO.pack(rpm.HEADER_MAGIC, 1, 1) + entry(1, 6, 0, 1) + b"x",
}


@pytest.mark.parametrize("what", BAD_HEADERS)
def test_a_bad_header_is_refused(what: str) -> None:
    with pytest.raises(rpm.RpmError):
        rpm.read(io.BytesIO(PACKAGE[:96] + BAD_HEADERS[what]))


@pytest.mark.parametrize(
    "fields",
    [
        ("../evil", "0", "1", "1", "x86_64"),
        ("a/b", "0", "1", "1", "x86_64"),
        ("a..b", "0", "1", "1", "x86_64"),
        ("a", "0", "1/2", "1", "x86_64"),
        ("a", "0", "1", "..", "x86_64"),
        ("a", "x", "1", "1", "x86_64"),
        ("a", "0", "1", "1", "src"),
        ("a\n", "0", "1", "1", "x86_64"),
    ],
)
def test_a_nevra_off_the_allow_list_is_refused(fields: tuple[str, str, str, str, str]) -> None:
    with pytest.raises(yum.NevraError):
        yum.Nevra(*fields)


def test_an_epoch_is_part_of_the_version_and_not_of_the_path() -> None:
    nevra = yum.Nevra("Ab", "2", "1.0", "1", "noarch")
    assert nevra.full_version == "2:1.0-1"
    assert nevra.location == "packages/a/Ab-1.0-1.noarch.rpm"
