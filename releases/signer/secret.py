"""What signs: the contract of a private key, and the key that lies in a file.

Another holder of keys, such as an agent or a token, is another `Secret` (see agent.py).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final, Protocol

import pysequoia

from releases import openpgp
from releases.signer import certificate, signature
from releases.signer.signature import BINARY, TEXT, canonical

PROOF: Final = b"proof\n"
PIECE: Final = 2**20


class KeyUnsafeError(Exception):
    """The key can be read by others, is not the one that was entered, or does not sign; the
    message says what to do.
    """


class Secret(Protocol):
    """A private key that signs; signatures are binary packets."""

    @property
    def certificate(self) -> bytes:
        """The public half, binary."""

    def sign(self, data: bytes) -> bytes: ...

    def sign_text(self, text: bytes) -> bytes:
        """The signature of a text that will be shown in clear."""

    def sign_open_file(self, number: int) -> bytes:
        """The signature of the open file `number`, from its beginning."""


class FileSecret:
    """A key whose secret bytes this process has read."""

    def __init__(self, secret: bytes) -> None:
        self._plain = certificate.read(secret)
        self.certificate = bytes(pysequoia.Tsk.from_bytes(secret).extract_certificate())

    def sign(self, data: bytes) -> bytes:
        return self._sign(BINARY, [data])

    def sign_text(self, text: bytes) -> bytes:
        return self._sign(TEXT, [canonical(text)])

    def sign_open_file(self, number: int) -> bytes:
        with open(number, "rb", closefd=False) as file:
            file.seek(0)
            return self._sign(BINARY, iter(lambda: file.read(PIECE), b""))

    def _sign(self, kind: int, covered: Iterable[bytes]) -> bytes:
        return signature.write(self._plain, kind, covered, created=int(time.time()))


def prove(secret: Secret) -> None:
    """Sign a text and verify it with the public half. Raises KeyUnsafeError."""
    try:
        public = pysequoia.Cert.from_bytes(secret.certificate)
        signed = pysequoia.Sig.from_bytes(secret.sign(PROOF))
        pysequoia.verify(PROOF, store=lambda ids: [public], signature=signed)
    except Exception as error:  # pysequoia raises RuntimeError and its own
        raise KeyUnsafeError(f"the key does not verify its own signature: {error}") from error


def clear_text(text: bytes, signatures: bytes) -> bytes:
    """The text with its signatures, as RFC 4880, 7 frames it."""
    lines = text.decode().split("\n")
    escaped = [f"- {line}" if line.startswith("-") else line for line in lines]
    head = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n"
    return head + "\n".join(escaped).encode() + b"\n" + openpgp.armor(signatures)
