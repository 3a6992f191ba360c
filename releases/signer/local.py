"""The local twin of the signer: the same office in this process, with small keys. For tests."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

import pysequoia

from releases.signer import certificate
from releases.signer.office import Office
from releases.signing import PublicKey, SignedRelease

BITS = 2048


@cache
def _secret(name: str) -> bytes:
    """One key of each name for the whole run: making one takes a while."""
    user_id = f"{name} <test@example.org>"
    return certificate.generate(user_id, created=int(time.time()), bits=BITS)


class LocalSigner:
    """Answers as the signer process does, and keeps its log in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.secret = pysequoia.Tsk.from_bytes(_secret("Test"))
        self.for_files = pysequoia.Tsk.from_bytes(_secret("Test files"))
        self.open_log(folder)

    def open_log(self, folder: Path) -> None:
        """Start as the process does: with the log that lies in `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        self.office = Office(folder, self.secret, self.for_files)

    def ping(self) -> None:
        return

    def public_key(self) -> PublicKey:
        return self.office.public_key()

    def file_key(self) -> PublicKey:
        return self.office.file_key()

    def sign_release(self, repository: str, serial: int, release: bytes) -> SignedRelease:
        return self.office.sign_release(repository, serial, release)

    def sign_repomd(self, repository: str, serial: int, repomd: bytes) -> bytes:
        return self.office.sign_repomd(repository, serial, repomd)

    def sign_rpm_header(self, header: bytes) -> bytes:
        return self.office.sign_rpm_header(header)

    def sign_file(self, path: Path) -> str:
        with path.open("rb") as file:
            return self.office.sign_file(file.fileno()).decode()
