"""The private key: made on the first start, readable by this process's account alone."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pysequoia

from releases.signer import certificate


class KeyUnsafeError(Exception):
    """The key file can be read by others, or the key does not sign; the message says what to do."""


def load_or_make(path: Path, user_id: str) -> pysequoia.Tsk:
    """The key in `path`; a new one where there is none. Proven to sign before it is used."""
    if not path.exists():
        _write(path, certificate.generate(user_id, created=int(time.time())))
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise KeyUnsafeError(f"{path} may be readable by its owner alone: chmod 600 {path}")
    secret = pysequoia.Tsk.from_bytes(path.read_bytes())
    prove(secret)
    return secret


def prove(secret: pysequoia.Tsk) -> None:
    """Sign a text and verify it with the public half. Raises KeyUnsafeError."""
    certificate_ = secret.extract_certificate()
    signed = pysequoia.sign(secret.signer(), b"proof\n", mode=pysequoia.SignatureMode.INLINE)
    found = pysequoia.verify(signed, store=lambda ids: [certificate_])
    if found.bytes != b"proof\n":
        raise KeyUnsafeError("the key does not verify its own signature")


def _write(path: Path, secret: bytes) -> None:
    """Whole or not at all, and never readable by others, not even for a moment."""
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)
