"""The register of the signer's folder: which keys there are, what for, and in which state.

`keys.json` names each key with its fingerprint and the SHA-256 of its file, so that a file that was
changed or exchanged is noticed. Only the command `python -m releases.signer key` writes it.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from portal.lib.files import write_whole
from releases.signer.agent import AgentSecret
from releases.signer.secret import FileSecret, KeyUnsafeError, Secret

NEXT, ACTIVE, RETIRED = STATES = ("next", "active", "retired")
ADVISORIES: Final = "advisories"  # the scope of a key for files that signs advisories alone
DECISIONS: Final = "decisions"  # and of one that signs what the bodies decided
FORMAT: Final = 1


@dataclass(frozen=True)
class Entry:
    """A key. Times are seconds since 1970."""

    name: str
    fingerprint: str
    user_id: str
    algorithm: str
    created: int
    expires: int | None
    state: str
    # a product, a repository of it, advisories or decisions; empty: what has no key of its own
    scope: str = ""
    for_files: bool = False
    sha256: str = ""  # of the file; empty: an agent holds the key
    agent_home: str = ""

    def signs_for(self, repository: str) -> bool:
        return not self.scope or f"{repository}/".startswith(f"{self.scope}/")


class Register:
    """The entries in a folder, in the order in which the keys were entered."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "keys.json"

    def entries(self) -> list[Entry]:
        try:
            found = json.loads(self.path.read_bytes())
            return [Entry(**fields) for fields in found["keys"]]
        except FileNotFoundError:
            return []
        except (ValueError, KeyError, TypeError) as error:
            raise KeyUnsafeError(f"{self.path} cannot be read: {error}") from error

    def stamp(self) -> tuple[int, int, int]:
        """Changes whenever the register was written."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return 0, 0, 0
        return found.st_ino, found.st_mtime_ns, found.st_size

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else changes the register meanwhile."""
        with (self.folder / "keys.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def enter(self, entry: Entry, secret: bytes = b"") -> None:
        """Add the entry, or put it in the place of the one of its name; `secret` is its file."""
        if secret:
            write_whole(self.key_path(entry), secret)
            entry = replace(entry, sha256=hashlib.sha256(secret).hexdigest())
        entries = self.entries()
        names = [known.name for known in entries]
        if entry.name in names:
            entries[names.index(entry.name)] = entry
        else:
            entries.append(entry)
        self._save(entries)

    def key_path(self, entry: Entry) -> Path:
        """A file for each form of the key: the register decides which one is read."""
        return self.folder / "keys" / f"{entry.name}-{entry.expires or 'endless'}.pgp"

    def secret(self, entry: Entry) -> Secret:
        """The private key, if it is the one that was entered. Raises KeyUnsafeError."""
        if entry.agent_home:
            return AgentSecret(Path(entry.agent_home), entry.fingerprint)
        return FileSecret(self.secret_bytes(entry))

    def secret_bytes(self, entry: Entry) -> bytes:
        path = self.key_path(entry)
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
        except FileNotFoundError:
            raise KeyUnsafeError(f"{path} is missing: bring it back from the backup") from None
        if mode & 0o077:
            raise KeyUnsafeError(f"{path} may be readable by its owner alone: chmod 600 {path}")
        secret = path.read_bytes()
        if hashlib.sha256(secret).hexdigest() != entry.sha256:
            raise KeyUnsafeError(
                f"{path} is not the file that was entered as key {entry.name}"
                f" ({entry.fingerprint}): bring it back from the backup"
            )
        return secret

    def _save(self, entries: list[Entry]) -> None:
        content: dict[str, Any] = {"format": FORMAT, "keys": [asdict(entry) for entry in entries]}
        write_whole(self.path, json.dumps(content, indent=1).encode() + b"\n")
