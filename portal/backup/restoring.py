"""Bringing a copy back into an empty place.

Everything is looked at before anything is written. A mark in the state folder names the copy that
is being brought back: a run that was killed is begun again and goes on, and nothing else may use
the place. Each database comes in one transaction, each file under its name when it is whole.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from django.db.migrations.loader import MigrationLoader

from governance.offices.database import make
from portal.backup import SEALED, BackupError, databases, manifest, seal
from portal.backup.contents import KEPT, Contents, check, put_back, read_list
from portal.backup.manifest import Manifest
from portal.backup.places import OFFICES, Places
from portal.backup.taking import DUMP, LIST
from portal.lib.files import write_whole

MARK: Final = "restore-in-progress.json"
SECRETS: Final = "restored-secrets.json"
Sealed = dict[str, dict[str, bytes]]  # the files of each sealed part
Tell = Callable[[str], None]


def newest(store: Path) -> Path:
    """The newest copy of a backup folder, or the copy itself. Raises BackupError."""
    if (store / manifest.NAME).exists():
        return store
    if found := manifest.finished(store):
        return found[-1]
    raise BackupError(f"{store} holds no finished copy.")


def verify(copy: Path, phrase: str) -> tuple[Manifest, Sealed]:
    """The manifest, and what the sealed parts hold, once every byte was found sound.

    Raises BackupError.
    """
    told = manifest.read(copy)
    for name, wanted in told.files.items():
        path = copy / name
        if not path.exists() or manifest.sum_of(path) != wanted:
            raise BackupError(f"{path} is missing or damaged. Nothing was restored.")
    if (copy / LIST).exists() and (
        wrong := next(check(_contents(copy), read_list(copy / LIST)), "")
    ):
        raise BackupError(f"{wrong}. Nothing was restored.")
    parts = [name for name in told.parts if name in SEALED]
    if parts and not phrase:
        raise BackupError(f"{', '.join(parts)} are encrypted: give --passphrase-file FILE.")
    return told, {name: seal.opened(copy / f"{name}.pgp", phrase) for name in parts}


def restore(copy: Path, places: Places, phrase: str, tell: Tell) -> None:
    """Bring everything of the copy back. Raises BackupError."""
    told, sealed = verify(copy, phrase)
    tell(f"{copy}: every file is what its manifest says")
    _check_code(told)
    mark = _Mark(places.state / MARK, copy)
    if not mark.is_there():
        for found in _in_the_way(told, places):
            raise BackupError(f"{found}. A copy is brought back into an empty place only.")
        mark.write()
    if "files" in told.parts:
        count = put_back(_contents(copy), read_list(copy / LIST), places.files)
        tell(f"{count} files are back")
    for name, files in sealed.items():
        if name in places.folders:
            seal.put_folder(files, places.folders[name])
            tell(f"the folder of the {name} is back: give it to the account of that process")
    if "secrets" in sealed:
        write_whole(places.state / SECRETS, sealed["secrets"]["secrets.json"])
        tell(f"secrets are in {places.state / SECRETS}: set them, then remove that file")
    for name in OFFICES:
        if name in sealed:
            _bring_office(places.databases[name], sealed[name]["database.dump"])
    if "portal" in told.parts and databases.is_empty(places.databases["portal"]):
        databases.read_back(places.databases["portal"], copy / DUMP)
    for name, rows in told.rows.items():
        databases.check_rows(places.databases[name], rows)
        tell(f"the database of the {name}: {sum(rows.values())} rows in {len(rows)} tables")
    mark.remove()


class _Mark:
    """Which copy is being brought back here."""

    def __init__(self, path: Path, copy: Path) -> None:
        self._path = path
        self._digest = manifest.sum_of(copy / manifest.NAME).sha256

    def is_there(self) -> bool:
        """Raises BackupError where another copy was begun."""
        if not self._path.exists():
            return False
        if json.loads(self._path.read_text())["manifest"] != self._digest:
            raise BackupError(
                f"{self._path} says that another copy was begun here. End that one, or empty the"
                " databases and the state folder and remove the mark."
            )
        return True

    def write(self) -> None:
        write_whole(self._path, json.dumps({"manifest": self._digest}).encode())

    def remove(self) -> None:
        self._path.unlink()


def _contents(copy: Path) -> Contents:
    return Contents(copy.parent / "contents")


def _check_code(told: Manifest) -> None:
    """Rows of a newer version are no food for an older one."""
    if not told.migrations:
        return
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    if unknown := sorted(set(told.migrations) - known):
        raise BackupError(
            f"The copy is of a newer version of the portal: {unknown[0]} is not known here."
        )


def _in_the_way(told: Manifest, places: Places) -> Iterator[str]:
    """What is there already."""
    for name in told.rows:
        if name in OFFICES:
            make(places.databases[name])
        if not databases.is_empty(places.databases[name]):
            yield f"The database of the {name} has tables"
    if "files" in told.parts:
        for root, folder in places.files.items():
            for path in folder.rglob("*"):
                below = path.relative_to(folder).as_posix()
                if path.is_file() and (root != "releases" or KEPT.fullmatch(below)):
                    yield f"{path} is there"
    for name, folder in places.folders.items():
        if name in told.parts and seal.folder_files(folder):
            yield f"{folder} is not empty"


def _bring_office(url: str, dump: bytes) -> None:
    """Its dump lies on the disk of this machine for as long as it is read, for us alone to read."""
    if not databases.is_empty(url):
        return
    with tempfile.NamedTemporaryFile(suffix=".dump") as file:
        file.write(dump)
        file.flush()
        databases.read_back(url, Path(file.name))
