"""The keys as the signer uses them: which of them sign what. Reloaded when the register changed."""

from __future__ import annotations

import hashlib
import logging
import threading
from dataclasses import dataclass

import pysequoia

from releases.signer.register import ACTIVE, ADVISORIES, DECISIONS, Entry, Register
from releases.signer.secret import KeyUnsafeError, Secret, prove
from releases.signing import PublicKey, SigningRefusedError

logger = logging.getLogger("releases.signer")


@dataclass(frozen=True)
class Held:
    """A key of the register; only one that signs has been opened."""

    entry: Entry
    public: PublicKey
    secret: Secret


class Ring:
    """Safe to call from several threads."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._lock = threading.Lock()
        self._stamp = register.stamp()
        self._held = self._load()

    def public_keys(self) -> list[PublicKey]:
        return [held.public for held in self._current()]

    def for_index(self, repository: str) -> list[Secret]:
        """The keys that sign the indices of the repository: the nearest ones, oldest first."""
        active = [
            held
            for held in self._current()
            if held.entry.state == ACTIVE
            and not held.entry.for_files
            and held.entry.signs_for(repository)
        ]
        if not active:
            raise SigningRefusedError(f"there is no key for {repository}")
        nearest = max(len(held.entry.scope) for held in active)
        near = [held for held in active if len(held.entry.scope) == nearest]
        return [held.secret for held in sorted(near, key=lambda held: held.entry.created)]

    def for_package(self, product: str) -> Secret:
        """An rpm holds one signature: the oldest key that signs, until it retires."""
        return self.for_index(product)[0]

    def for_files(self) -> Secret:
        """Plain files have one signature: the newest key."""
        return self._newest("", "plain files")

    def for_advisories(self) -> Secret:
        """A key that signs nothing else."""
        return self._newest(ADVISORIES, "advisories")

    def for_decisions(self) -> Secret:
        """A key that signs nothing else."""
        return self._newest(DECISIONS, "decisions")

    def _newest(self, scope: str, what: str) -> Secret:
        active = [
            held
            for held in self._current()
            if held.entry.state == ACTIVE
            and (held.entry.for_files, held.entry.scope) == (True, scope)
        ]
        if not active:
            raise SigningRefusedError(f"there is no key for {what}")
        return max(active, key=lambda held: held.entry.created).secret

    def digest(self) -> str:
        """Of the register, for the log."""
        return hashlib.sha256(self._register.path.read_bytes()).hexdigest()

    def _current(self) -> list[Held]:
        """The keys; read again when an operator changed them. If that fails the old ones go on."""
        with self._lock:
            stamp = self._register.stamp()
            if stamp != self._stamp:
                self._stamp = stamp
                try:
                    self._held = self._load()
                except KeyUnsafeError as error:
                    logger.error("the keys stay as they were: %s", error)
            return self._held

    def _load(self) -> list[Held]:
        return [self._hold(entry) for entry in self._register.entries()]

    def _hold(self, entry: Entry) -> Held:
        secret = self._register.secret(entry)
        public = pysequoia.Cert.from_bytes(secret.certificate)
        if public.fingerprint.upper() != entry.fingerprint:
            raise KeyUnsafeError(f"key {entry.name} has another fingerprint than was entered")
        if entry.state == ACTIVE:
            prove(secret)
        return Held(entry, introduce(entry, public), secret)


def introduce(entry: Entry, public: pysequoia.Cert) -> PublicKey:
    return PublicKey(
        fingerprint=entry.fingerprint,
        user_id=entry.user_id,
        armored=str(public),
        binary=bytes(public),
        name=entry.name,
        algorithm=entry.algorithm,
        state=entry.state,
        scope=entry.scope,
        for_files=entry.for_files,
        created=entry.created,
        expires=entry.expires,
    )
