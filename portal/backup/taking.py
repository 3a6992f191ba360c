"""Taking a copy of a running portal.

Files are copied before and after the moment of the databases. What a row of that moment names was
there before it, or came in between and is still there: nothing younger than a day is garbage.
The databases follow each other as portal, box, registrar, and the signer's folder comes last, so
that each of them knows at least what those before it rely on.
"""

from __future__ import annotations

import datetime as dt
import fcntl
import json
import tomllib
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings

from portal.backup import PARTS, SEALED, BackupError, databases, manifest, seal
from portal.backup.contents import Contents, Line, gather, read_list, write_list
from portal.backup.databases import Moment
from portal.backup.manifest import Manifest
from portal.backup.places import OFFICES, Places

LIST: Final = "files.txt"
DUMP: Final = "portal.dump"


def take(store: Path, places: Places, parts: Collection[str], phrase: str, at: dt.datetime) -> Path:
    """The folder of a new, finished copy. Raises BackupError; then the copy counts for nothing."""
    _check(places, parts, phrase)
    store.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(store), ExitStack() as stack:
        folder = store / f"{at:%Y-%m-%dT%H-%M-%S}Z"
        folder.mkdir(mode=0o700)
        contents = Contents(store / "contents")
        before = list(gather(places.files, contents)) if "files" in parts else []
        wanted = [name for name in ("portal", *OFFICES) if name in parts]
        moments = {
            name: stack.enter_context(databases.moment(places.databases[name])) for name in wanted
        }
        told = _manifest(parts, moments, at)
        _write_offices(folder, places, parts, moments, phrase)
        if "portal" in moments:
            databases.write(moments["portal"], folder / DUMP)
            told.migrations = _migrations(moments["portal"])
        if "files" in parts:
            lines = {(one.root, one.path): one for one in before}
            lines |= {(one.root, one.path): one for one in gather(places.files, contents)}
            _check_blobs(moments.get("portal"), lines.values())
            write_list(folder / LIST, lines.values())
        told.files = {path.name: manifest.sum_of(path) for path in sorted(folder.iterdir())}
        told.write(folder)
    return folder


def forget_old(store: Path, keep: int) -> list[Path]:
    """Remove all copies but the newest `keep`, unfinished ones, and what only those named."""
    with _alone(store):
        kept = manifest.finished(store)[-keep:]
        stay = {store / "contents", *kept}
        gone = [path for path in store.iterdir() if path.is_dir() and path not in stay]
        for folder in gone:
            (folder / manifest.NAME).unlink(missing_ok=True)  # from here on it is unfinished
            for path in folder.iterdir():
                path.unlink()
            folder.rmdir()
        lists = [folder / LIST for folder in kept if (folder / LIST).exists()]
        wanted = {line.sum.sha256 for path in lists for line in read_list(path)}
        Contents(store / "contents").forget_all_but(wanted)
    return gone


def _check(places: Places, parts: Collection[str], phrase: str) -> None:
    """Nothing is left out silently: what is asked for and is not there ends the run."""
    if SEALED & set(parts) and not phrase:
        raise BackupError(
            "Keys and secrets are written encrypted only: give --passphrase-file FILE, or leave"
            " them out by --parts portal,files."
        )
    for name, folder in places.folders.items():
        if name in parts and not folder.is_dir():
            raise BackupError(
                f"The folder {folder} of the {name} is not here: name it by"
                f" --folder-of {name}=FOLDER, or leave it out by --parts."
            )


@contextmanager
def _alone(store: Path) -> Iterator[None]:
    with (store / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError(f"Another run works on {store}.") from None
        yield


def _manifest(parts: Collection[str], moments: dict[str, Moment], at: dt.datetime) -> Manifest:
    return Manifest(
        taken_at=at.isoformat(timespec="seconds"),
        portal=_version(),
        postgres=max((one.version for one in moments.values()), default=0),
        parts=[name for name in PARTS if name in parts],
        left_out=[name for name in PARTS if name not in parts],
        rows={name: one.rows() for name, one in moments.items()},
    )


def _version() -> str:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def _write_offices(
    folder: Path, places: Places, parts: Collection[str], moments: dict[str, Moment], phrase: str
) -> None:
    """The sealed parts, the signer's folder last."""
    for name in OFFICES:
        if name in parts:
            dump = {"database.dump": databases.written(moments[name])}
            _seal(folder, name, dump | seal.folder_files(places.folders[name]), phrase)
    if "secrets" in parts:
        _seal(
            folder, "secrets", {"secrets.json": json.dumps(dict(places.secrets)).encode()}, phrase
        )
    if "signer" in parts:
        _seal(folder, "signer", seal.folder_files(places.folders["signer"]), phrase)


def _seal(folder: Path, name: str, files: dict[str, bytes], phrase: str) -> None:
    (folder / f"{name}.pgp").write_bytes(seal.sealed(files, phrase))


def _migrations(of: Moment) -> list[str]:
    rows = of.connection.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
    return [f"{app}.{name}" for app, name in rows]


def _check_blobs(portal: Moment | None, lines: Collection[Line]) -> None:
    """Every content that a row of the moment names is in the copy."""
    if portal is None:
        return
    there = {line.sum.sha256 for line in lines}
    named = {
        str(sha256) for (sha256,) in portal.connection.execute("SELECT sha256 FROM releases_blob")
    }
    if missing := sorted(named - there):
        raise BackupError(
            f"{len(missing)} contents that rows name are not in the store, the first is"
            f" {missing[0]}. If this run took a day or more, begin again: what was copied stays."
        )
