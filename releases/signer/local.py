"""The local twin of the signer: the same office in this process, with small keys. For tests."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from releases.signer import certificate, key
from releases.signer.log import Log
from releases.signer.office import Clock, Office
from releases.signer.rate import Rate
from releases.signer.register import ADVISORIES, DECISIONS, Register
from releases.signer.ring import Ring
from releases.signing import PublicKey, SignedRelease

ALGORITHM = "rsa2048"
PLENTY = 1_000_000  # signatures in a minute


@cache
def secret_of(name: str, algorithm: str = ALGORITHM) -> bytes:
    """One key of each name for the whole run: making one takes a while."""
    user_id = f"{name} <test@example.org>"
    return certificate.generate(user_id, created=int(time.time()), algorithm=algorithm)


class LocalSigner:
    """Answers as the signer process does, and keeps keys and log in `folder`."""

    def __init__(self, folder: Path, clock: Clock = lambda: datetime.now(UTC)) -> None:
        self.clock = clock
        self.open_log(folder)

    def open_log(self, folder: Path) -> None:
        """Start as the process does: with the keys and the log that lie in `folder`."""
        self.folder = folder
        self.register = Register(folder)
        folder.mkdir(parents=True, exist_ok=True)
        if not self.register.entries():
            key.add(self.register, name="keyring", user_id="", secret=secret_of("Test"))
            files = secret_of("Test files")
            key.add(self.register, name="files", user_id="", secret=files, for_files=True)
            for scope, secret in (
                (ADVISORIES, secret_of("Test advisories")),
                (DECISIONS, secret_of("Test decisions", "ed25519")),
            ):
                key.add(
                    self.register,
                    name=scope,
                    user_id="",
                    secret=secret,
                    scope=scope,
                    for_files=True,
                )
        rate = Rate(in_all=PLENTY, for_each=PLENTY)
        self.office = Office(Ring(self.register), Log(folder), rate, self._now)

    def reopen(self) -> None:
        """Start again, where others have written."""
        self.open_log(self.folder)

    def _now(self) -> datetime:
        return self.clock()

    def ping(self) -> None:
        return

    def public_keys(self) -> list[PublicKey]:
        return self.office.public_keys()

    def public_key(self) -> PublicKey:
        """The first key of repositories."""
        return next(found for found in self.public_keys() if not found.for_files)

    def file_key(self) -> PublicKey:
        return next(found for found in self.public_keys() if found.for_files)

    def sign_release(self, repository: str, serial: int, release: bytes) -> SignedRelease:
        return self.office.sign_release(repository, serial, release)

    def sign_repomd(self, repository: str, serial: int, repomd: bytes) -> bytes:
        return self.office.sign_repomd(repository, serial, repomd)

    def sign_rpm_header(self, product: str, header: bytes) -> bytes:
        return self.office.sign_rpm_header(product, header)

    def sign_advisory(self, identifier: str, document: bytes) -> str:
        return self.office.sign_advisory(identifier, document).decode()

    def sign_decisions(self, manifest: bytes) -> str:
        return self.office.sign_decisions(manifest).decode()

    def sign_file(self, path: Path) -> str:
        with path.open("rb") as file:
            return self.office.sign_file(file.fileno()).decode()
