"""The socket of the signer, and the keys it reads: what makes callers wait, and garbage."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from portal.lib.sockets import LARGEST_BODY, LENGTH
from releases.openpgp import SECRET_KEY, read_packets
from releases.signer import certificate, material
from releases.signer.desk import Server
from releases.signer.local import LocalSigner, secret_of
from releases.signer.rate import Rate
from releases.signer.secret import KeyUnsafeError
from releases.signing import SignerBusyError, SigningRefusedError, SocketSigner
from releases.tests.test_signer import release


@pytest.fixture
def there(signer: LocalSigner, tmp_path: Path) -> Iterator[SocketSigner]:
    """The way to the signer through its socket."""
    with Server(tmp_path / "sock", signer.office) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield SocketSigner(tmp_path / "sock", seconds=10)
        server.shutdown()


def test_who_asks_too_often_waits_and_is_not_refused(
    there: SocketSigner, signer: LocalSigner
) -> None:
    """A refusal fails a publication for good; this one is only put off."""
    signer.office._rate = Rate(in_all=100, for_each=1)
    there.sign_release("r", 1, release())
    with pytest.raises(SignerBusyError, match="ask again"):
        there.sign_release("r", 1, release())


def test_a_token_that_does_not_answer_makes_callers_wait(
    there: SocketSigner, signer: LocalSigner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(number: int) -> bytes:
        raise KeyUnsafeError("gpg does not sign")

    monkeypatch.setattr(signer.office, "sign_file", gone)
    with pytest.raises(SignerBusyError, match="gpg does not sign"):
        there.sign_file(there.address.parent / "signer/keys.json")


@pytest.mark.parametrize(
    "message",
    [
        LENGTH.pack(2, LARGEST_BODY + 1) + b"{}",
        LENGTH.pack(2**31, 0),
        LENGTH.pack(3, 0) + b"{no",
        LENGTH.pack(60_000, 0) + b"[" * 60_000,
        LENGTH.pack(2, 5) + b"{}abc",
        b"\xff",
    ],
)
def test_garbage_on_the_socket_is_hung_up_on_and_the_next_is_answered(
    there: SocketSigner, message: bytes
) -> None:
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.settimeout(10)
        stranger.connect(str(there.address))
        stranger.sendall(message)
        stranger.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):  # there was more than was read
            assert stranger.recv(1) == b""
    assert there.public_keys()


@pytest.mark.parametrize("head", [b"[]", b'"ping"', b"{}", b'{"verb": []}', b'{"verb": "keys "}'])
def test_a_question_that_is_none_is_answered_as_not_understood(
    there: SocketSigner, head: bytes
) -> None:
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.settimeout(10)
        stranger.connect(str(there.address))
        stranger.sendall(LENGTH.pack(len(head), 0) + head)
        assert b"not understood" in stranger.recv(1000)


def test_who_leaves_before_the_answer_disturbs_nobody(there: SocketSigner) -> None:
    for _ in range(3):
        with socket.socket(socket.AF_UNIX) as impatient:
            impatient.connect(str(there.address))
            impatient.sendall(LENGTH.pack(16, 0) + b'{"verb": "keys"}')
    assert there.public_keys()


def test_the_right_words_are_asked_of_every_verb(there: SocketSigner) -> None:
    for verb in ("sign_release", "sign_repomd", "sign_rpm_header", "sign_advisory", "sign_file"):
        with pytest.raises(SigningRefusedError, match="not understood"):
            there._ask(verb, b"x")


# --- keys -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["rsa2048", "ed25519"])
def test_a_key_that_was_cut_off_anywhere_is_refused(algorithm: str) -> None:
    """Also where what is left would be the numbers of another key."""
    secret = certificate.generate("K <k@example.org>", created=1_700_000_000, algorithm=algorithm)
    (body,) = [body for tag, body in read_packets(secret) if tag == SECRET_KEY]
    assert material.read(body)[0] == 1_700_000_000
    for length in range(len(body)):
        with pytest.raises(ValueError, match=r"."):
            material.read(body[:length])


def test_a_key_that_was_changed_by_a_bit_is_refused() -> None:
    secret = certificate.generate("K <k@example.org>", created=1, algorithm="ed25519")
    (body,) = [body for tag, body in read_packets(secret) if tag == SECRET_KEY]
    for at in range(6, len(body)):
        changed = body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]
        with pytest.raises(ValueError, match=r"."):
            material.read(changed)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda body: b"\x03" + body[1:], "version 4"),
        (lambda body: body[:5] + b"\x11" + body[6:], "only RSA and Ed25519"),
    ],
)
def test_other_keys_are_refused_with_the_reason(change: object, reason: str) -> None:
    (body, *_) = [body for tag, body in read_packets(secret_of("Test")) if tag == SECRET_KEY]
    with pytest.raises(ValueError, match=reason):
        material.read(change(body))  # type: ignore[operator]
