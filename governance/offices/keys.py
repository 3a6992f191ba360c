"""The private keys of an office: a file each that its owner alone may read, made when first asked.

One process at a time holds the folder. A key that is gone is not made anew under an election that
was opened with it: whoever uses one compares it with the manifest.
"""

from __future__ import annotations

import fcntl
import re
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Generic, TypeVar, cast

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from portal.lib.files import write_whole

WORD: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}"
ELECTION: Final = re.compile(WORD)
CONTEST: Final = re.compile(f"{WORD}/{WORD}")
Key = TypeVar("Key", Ed25519PrivateKey, RSAPrivateKey)


class FolderTakenError(Exception):
    """Another process holds the folder or the database."""


class KeyUnsafeError(Exception):
    """A key can be read by others, or is not the one that it has to be; says what to do."""


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """The folder is this process's alone. Raises FolderTakenError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderTakenError(f"another process holds {folder}") from None
        yield


class Keys(Generic[Key]):
    """The keys in a folder by their names, of one kind. Safe to use from several threads."""

    def __init__(self, folder: Path, kind: type, make: Callable[[], Key]) -> None:
        self._folder, self._kind = folder / "keys", kind
        self._make: Callable[[], Key] = make
        self._known: dict[str, Key] = {}
        self._lock = threading.Lock()

    def made(self, name: str) -> Key:
        """The key, made if there is none yet. Raises KeyUnsafeError."""
        with self._lock:
            if name not in self._known:
                path = self._path(name)
                if not path.exists():
                    write_whole(path, _written(self._make()))
                self._known[name] = self._read(path)
            return self._known[name]

    def there(self, name: str) -> Key:
        """The key that was made before. Raises KeyUnsafeError."""
        path = self._path(name)
        if name not in self._known and not path.exists():
            raise KeyUnsafeError(f"{path} is missing: bring it back from the backup")
        return self.made(name)

    def _path(self, name: str) -> Path:
        """Names have passed `ELECTION` or `CONTEST`."""
        return self._folder / f"{name}.pem"

    def _read(self, path: Path) -> Key:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise KeyUnsafeError(f"{path} may be readable by its owner alone: chmod 600 {path}")
        try:
            found = load_pem_private_key(path.read_bytes(), password=None)
        except ValueError:
            found = None
        if not isinstance(found, self._kind):
            raise KeyUnsafeError(f"{path} is no key: bring it back from the backup")
        return cast(Key, found)


def _written(key: Ed25519PrivateKey | RSAPrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
