"""What signs: the contract of a private key, and the key that lies in a file.

Another holder of keys, such as an agent or a token, is another `Secret` (see agent.py).
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final, Protocol

import pysequoia

from releases import openpgp

PROOF: Final = b"proof\n"
CLEAR: Final = pysequoia.SignatureMode.CLEAR
DETACHED: Final = pysequoia.SignatureMode.DETACHED


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
        self._key = pysequoia.Tsk.from_bytes(secret)

    @property
    def certificate(self) -> bytes:
        return bytes(self._key.extract_certificate())

    def sign(self, data: bytes) -> bytes:
        return pysequoia.sign(self._key.signer(), data, mode=DETACHED, armor=False)

    def sign_text(self, text: bytes) -> bytes:
        return openpgp.dearmor(pysequoia.sign(self._key.signer(), text, mode=CLEAR))

    def sign_open_file(self, number: int) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            answer = Path(folder) / "signature"
            pysequoia.sign_file(
                self._key.signer(), f"/proc/self/fd/{number}", answer, mode=DETACHED
            )
            return openpgp.dearmor(answer.read_bytes())


def prove(secret: Secret) -> None:
    """Sign a text and verify it with the public half. Raises KeyUnsafeError."""
    try:
        certificate = pysequoia.Cert.from_bytes(secret.certificate)
        signature = pysequoia.Sig.from_bytes(secret.sign(PROOF))
        pysequoia.verify(PROOF, store=lambda ids: [certificate], signature=signature)
    except Exception as error:  # pysequoia raises RuntimeError and its own
        raise KeyUnsafeError(f"the key does not verify its own signature: {error}") from error


def clear_text(text: bytes, signatures: bytes) -> bytes:
    """The text with its signatures, as RFC 4880, 7 frames it."""
    lines = text.decode().split("\n")
    escaped = [f"- {line}" if line.startswith("-") else line for line in lines]
    head = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n"
    return head + "\n".join(escaped).encode() + b"\n" + openpgp.armor(signatures)
