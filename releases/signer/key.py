"""What an operator does with keys: make, import, announce, let sign, retire, give another end.

Every key signs and verifies a text before it is entered.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

import pysequoia

from releases.signer import certificate
from releases.signer.agent import AgentSecret
from releases.signer.material import EDDSA, RSA
from releases.signer.register import (
    ACTIVE,
    ADVISORIES,
    DECISIONS,
    NEXT,
    RETIRED,
    Entry,
    Register,
)
from releases.signer.secret import FileSecret, Secret, prove

NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
SCOPE: Final = re.compile(r"(?:[a-z0-9][\w.~+-]*(?:/[\w.~+-]+)*)?")
YEAR: Final = 31_556_952  # seconds
YEARS: Final = 5  # of a key that nobody gave an end
OWN: Final = {ADVISORIES: "Advisories", DECISIONS: "Decisions"}  # scopes of keys for files


class KeyRefusedError(Exception):
    """The step makes no sense for this key; the message says why."""


def add(
    register: Register,
    *,
    name: str,
    user_id: str,
    algorithm: str = "rsa4096",
    expires: int | None = None,
    scope: str = "",
    for_files: bool = False,
    secret: bytes | None = None,
    at_once: bool = False,
) -> Entry:
    """Make a key, or enter the one in `secret`. Where another signs now it is announced first
    (state "next"), unless it shall sign at once: before anything is published there.
    """
    now = int(time.time())
    with register.locked():
        if secret is None:
            secret = certificate.generate(
                user_id, created=now, algorithm=algorithm, expires=expires or now + YEARS * YEAR
            )
        secret = certificate.primary(secret)
        entry = _entry(register, name, FileSecret(secret), scope, for_files, at_once)
        register.enter(entry, secret)
        return register.entries()[-1]


def add_from_agent(
    register: Register,
    *,
    name: str,
    home: Path,
    fingerprint: str,
    scope: str = "",
    for_files: bool = False,
    at_once: bool = False,
) -> Entry:
    """Enter a key that gpg-agent holds."""
    with register.locked():
        secret = AgentSecret(home, fingerprint)
        entry = _entry(register, name, secret, scope, for_files, at_once)
        register.enter(replace(entry, agent_home=str(home)))
        return register.entries()[-1]


def _entry(
    register: Register, name: str, secret: Secret, scope: str, for_files: bool, at_once: bool
) -> Entry:
    """The entry of a new key that was proven, with the state that it starts in."""
    if not NAME.fullmatch(name):
        raise KeyRefusedError("a name is of small letters, digits and hyphens, 40 at most")
    if not SCOPE.fullmatch(scope) or (for_files and scope not in {"", *OWN}):
        raise KeyRefusedError(f"{scope!r} is not a product or a repository of one")
    known = register.entries()
    prove(secret)
    public = pysequoia.Cert.from_bytes(secret.certificate)
    if any(name == entry.name for entry in known):
        raise KeyRefusedError(f"there is a key {name} already; keys are never replaced")
    if any(public.fingerprint.upper() == entry.fingerprint for entry in known):
        raise KeyRefusedError("this key is entered already")
    announced = [entry for entry in known if entry.state == NEXT]
    if any((entry.scope, entry.for_files) == (scope, for_files) for entry in announced):
        raise KeyRefusedError("another key is announced there already: let it sign first")
    created, algorithm = _public_facts(secret.certificate)
    if scope == DECISIONS and algorithm != "ed25519":
        raise KeyRefusedError("decisions are signed with Ed25519, which their checker reads")
    is_signed = any(
        entry.state == ACTIVE and entry.for_files == for_files and _signs_there(entry, scope)
        for entry in known
    )
    return Entry(
        name=name,
        fingerprint=public.fingerprint.upper(),
        user_id=str(public.user_ids[0]),
        algorithm=algorithm,
        created=created,
        expires=_end(secret.certificate),
        state=NEXT if is_signed and not at_once else ACTIVE,
        scope=scope,
        for_files=for_files,
    )


def _signs_there(entry: Entry, scope: str) -> bool:
    return entry.scope == scope if entry.for_files else entry.signs_for(scope)


def _public_facts(public: bytes) -> tuple[int, str]:
    created, number, size = certificate.read_public(public)
    names = {RSA: f"rsa{size}", EDDSA: "ed25519"}
    if number not in names:
        raise KeyRefusedError("only RSA and Ed25519 are read by the clients we serve")
    return created, names[number]


def _end(public: bytes) -> int | None:
    end = pysequoia.Cert.from_bytes(public).expiration
    return int(end.timestamp()) if end else None


def activate(register: Register, *, name: str) -> Entry:
    """Let an announced key sign beside the one before it."""
    return _move(register, name, from_=NEXT, to=ACTIVE)


def retire(register: Register, *, name: str) -> Entry:
    """Let the key sign no more; another one must do so already."""
    with register.locked():
        entry = find(register, name)
        others = [
            other
            for other in register.entries()
            if other.name != name
            and other.state == ACTIVE
            and (other.scope, other.for_files) == (entry.scope, entry.for_files)
        ]
        if entry.state == ACTIVE and not others and (entry.for_files or not entry.scope):
            raise KeyRefusedError(f"nothing would sign without {name}: let another key sign first")
        if entry.state == RETIRED:
            raise KeyRefusedError(f"{name} is retired already")
        register.enter(replace(entry, state=RETIRED))
        return find(register, name)


def extend(register: Register, *, name: str, expires: int) -> Entry:
    """Give the key another end: a new self-signature; its fingerprint stays."""
    with register.locked():
        entry = find(register, name)
        if entry.agent_home:
            raise KeyRefusedError("let gpg do that (gpg --quick-set-expire), then: key refresh")
        if entry.expires is not None and expires < entry.expires:
            raise KeyRefusedError("clients that have the later end would keep it")
        plain = certificate.read(register.secret_bytes(entry))
        secret = certificate.written(plain, signed=int(time.time()), expires=expires)
        prove(FileSecret(secret))
        register.enter(replace(entry, expires=expires), secret)
        return find(register, name)


def refresh(register: Register, *, name: str) -> Entry:
    """Read again when a key that an agent holds ends."""
    with register.locked():
        entry = find(register, name)
        if not entry.agent_home:
            raise KeyRefusedError(f"{name} lies in a file: key extend")
        secret = register.secret(entry)
        prove(secret)
        register.enter(replace(entry, expires=_end(secret.certificate)))
        return find(register, name)


def find(register: Register, name: str) -> Entry:
    for entry in register.entries():
        if entry.name == name:
            return entry
    raise KeyRefusedError(f"there is no key {name}")


def _move(register: Register, name: str, *, from_: str, to: str) -> Entry:
    with register.locked():
        entry = find(register, name)
        if entry.state != from_:
            raise KeyRefusedError(f"{name} is {entry.state}, not {from_}")
        register.enter(replace(entry, state=to))
        return find(register, name)


def prepare(register: Register, user_id: str) -> None:
    """The first keys of a folder: those of before there was a register, or new ones."""
    register.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, old, owner, for_files in (
        ("keyring", "key.pgp", user_id, False),
        ("files", "files.pgp", f"Files of {user_id}", True),
    ):
        path = register.folder / old
        if not any(known.for_files == for_files for known in register.entries()):
            secret = path.read_bytes() if path.exists() else None
            add(register, name=name, user_id=owner, for_files=for_files, secret=secret)
        path.unlink(missing_ok=True)
    for scope, title in OWN.items():
        if not any(known.for_files and known.scope == scope for known in register.entries()):
            add(
                register,
                name=scope,
                user_id=f"{title} of {user_id}",
                algorithm="ed25519",
                for_files=True,
                scope=scope,
            )
