#!/usr/bin/env python3
"""Keep a mirror of a Foundation Portal. Python 3.9+, standard library only. Run it every hour:

    portal_mirror.py --url https://portal.example.org --to /srv/mirror/exampledb

It fetches what is new in the order of the portal's manifest (signed indices last), verifies every
SHA-256, puts each file in place at once, and at the end deletes what is no longer listed. It may be
killed at any time and goes on where it stood. A second run beside a first one ends at once.
Exit status: 0 complete, 1 not complete (the old state is still served), 2 wrong use.
"""

import argparse
import contextlib
import fcntl
import gzip
import hashlib
import http.client
import os
import re
import sys
import time
import urllib.parse
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Optional, Set, TypeVar

PARTS = ("repo", "yum", "releases")
LINE = re.compile(r"([0-9a-f]{64}) ([0-9]{1,15}) ([A-Za-z0-9._+~/-]{1,600})")
PIECE = 2**20
TRIES = 4
FIRST_PAUSE = 1.0
ROUNDS = 3
TIMEOUT = 60.0
WORK = ".portal-mirror"  # in the mirror's folder: lock and unfinished files

Result = TypeVar("Result")


class SyncError(Exception):
    """This run cannot be completed; the next one may."""


class MovedOnError(Exception):
    """The portal published while we fetched: begin again with a new manifest."""


class Entry(NamedTuple):
    """A line of the manifest."""

    sha256: str
    size: int
    path: str


class Portal:
    """Fetches over one connection, again where the line breaks."""

    def __init__(self, url: str) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise SystemExit("portal_mirror.py: --url begins with https://")
        is_tls = parts.scheme == "https"
        kind = http.client.HTTPSConnection if is_tls else http.client.HTTPConnection
        self.connection = kind(parts.netloc, timeout=TIMEOUT)

    def get(self, path: str, headers: Dict[str, str]) -> http.client.HTTPResponse:
        """The answer to one GET; an error of the server is a ConnectionError, to be tried again."""
        self.connection.request("GET", path, headers=headers)
        answer = self.connection.getresponse()
        if answer.status >= 500 or answer.status == 429:
            self.connection.close()
            raise ConnectionError(f"status {answer.status}")
        return answer

    def insist(self, what: Callable[[], Result]) -> Result:
        """Do `what`, again after a while when the line breaks."""
        said: Exception = SyncError()
        for number in range(TRIES):
            time.sleep(FIRST_PAUSE * 4 ** (number - 1) if number else 0)
            try:
                return what()
            except (OSError, http.client.HTTPException) as error:
                self.connection.close()
                said = error
        raise SyncError(f"no connection to the portal: {said!r}")

    def manifest(self, product: str) -> str:
        """What the mirror shall hold, of one product or (empty) of all."""
        query = f"?{urllib.parse.urlencode({'product': product})}" if product else ""

        def ask() -> str:
            answer = self.get(f"/mirrors/manifest.txt{query}", {"Accept-Encoding": "gzip"})
            body = answer.read()
            if answer.status != 200:
                raise SyncError(f"the portal has no such manifest (status {answer.status})")
            is_gzip = answer.headers["Content-Encoding"] == "gzip"
            return (gzip.decompress(body) if is_gzip else body).decode()

        return self.insist(ask)

    def fetch(self, entry: Entry, part: Path) -> None:
        """Bring `part` to the whole file, from where it stands."""

        def go_on() -> None:
            self.fetch_rest(entry, part)
            if part.stat().st_size < entry.size:
                raise ConnectionError("the file ends too early")

        self.insist(go_on)

    def fetch_rest(self, entry: Entry, part: Path) -> None:
        have = part.stat().st_size if part.exists() else 0
        headers = {"Range": f"bytes={have}-"} if 0 < have < entry.size else {}
        answer = self.get(f"/{urllib.parse.quote(entry.path)}?mirror=none", headers)
        if answer.status not in (200, 206):
            answer.read()
            part.unlink(missing_ok=True)
            raise MovedOnError(f"{entry.path} answers {answer.status}")
        with part.open("ab" if answer.status == 206 else "wb") as file:
            while piece := answer.read(PIECE):
                file.write(piece)
                if file.tell() > entry.size:
                    raise MovedOnError(f"{entry.path} has grown")


def read_manifest(text: str, parts: Set[str]) -> List[Entry]:
    """The entries below `parts`. Nothing outside the mirror's folder can be named."""
    found = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        matched = LINE.fullmatch(line)
        if matched is None or not is_inside(matched[3]):
            raise SyncError(f"the manifest has a line that is none: {line[:80]!r}")
        if matched[3].partition("/")[0] in parts:
            found.append(Entry(matched[1], int(matched[2]), matched[3]))
    return found


def is_inside(path: str) -> bool:
    names = path.split("/")
    return names[0] in PARTS and not any(name in ("", ".", "..") for name in names)


class Mirror:
    """The folder that a web server serves."""

    def __init__(self, folder: Path, portal: Portal) -> None:
        self.folder, self.portal = folder, portal
        self.partial = folder / WORK / "partial"
        self.partial.mkdir(parents=True, exist_ok=True)
        self.known = self.read_known()
        self.places: Dict[str, Path] = {}  # where this run has seen bytes, by their SHA-256
        self.fetched = self.deleted = 0

    def read_known(self) -> Dict[str, str]:
        """What the last complete run has put in place: SHA-256 by path."""
        try:
            text = (self.folder / "manifest.txt").read_text()
            return {entry.path: entry.sha256 for entry in read_manifest(text, set(PARTS))}
        except (OSError, SyncError):
            return {}

    def run(self, product: str, parts: Set[str]) -> None:
        for _ in range(ROUNDS):
            text = self.portal.manifest(product)
            entries = read_manifest(text, parts)
            try:
                for entry in entries:
                    self.ensure(entry)
            except MovedOnError as error:
                print(f"{error}; beginning again", file=sys.stderr)
                continue
            self.write_manifest(text)
            self.delete_others({entry.path for entry in entries})
            return
        raise SyncError("the portal publishes faster than we fetch")

    def ensure(self, entry: Entry) -> None:
        """The file is in place, whole; before that its old state is."""
        target = self.folder / entry.path
        if not self.has(entry):
            part = self.bring(entry)
            target.parent.mkdir(parents=True, exist_ok=True)
            part.replace(target)
            self.known[entry.path] = entry.sha256
        self.places[entry.sha256] = target

    def bring(self, entry: Entry) -> Path:
        """A verified copy, beside the served files: a second name of what is here, or fetched."""
        part = self.partial / entry.sha256
        if entry.sha256 in self.places:
            part.unlink(missing_ok=True)
            os.link(self.places[entry.sha256], part)
            return part
        if not part.exists() or part.stat().st_size != entry.size:
            self.portal.fetch(entry, part)
        if digest(part) != entry.sha256:
            part.unlink()
            raise MovedOnError(f"{entry.path} has other bytes than the manifest says")
        part.chmod(0o644)
        sync(part)
        self.fetched += 1
        return part

    def has(self, entry: Entry) -> bool:
        target = self.folder / entry.path
        if not target.is_file() or target.stat().st_size != entry.size:
            return False
        return self.known.get(entry.path) == entry.sha256 or digest(target) == entry.sha256

    def write_manifest(self, text: str) -> None:
        """Last of all: it tells the portal's probes how far this mirror is."""
        part = self.partial / "manifest.txt"
        part.write_text(text)
        part.chmod(0o644)
        sync(part)
        part.replace(self.folder / "manifest.txt")

    def delete_others(self, listed: Set[str]) -> None:
        if not listed:
            return
        for part in PARTS:
            for path in sorted((self.folder / part).rglob("*"), reverse=True):
                if path.is_dir() and not path.is_symlink():
                    with contextlib.suppress(OSError):  # not empty
                        path.rmdir()
                elif path.relative_to(self.folder).as_posix() not in listed:
                    path.unlink()
                    self.deleted += 1
        for path in self.partial.iterdir():
            path.unlink()


def digest(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            found.update(piece)
    return found.hexdigest()


def sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def arguments(words: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", required=True, help="the portal, for example https://example.org")
    parser.add_argument("--to", required=True, type=Path, help="the folder to keep the mirror in")
    parser.add_argument(
        "--part", action="append", choices=PARTS, help="only this part; may be repeated"
    )
    parser.add_argument("--product", default="", help="only this product, by its short name")
    return parser.parse_args(words)


def main(words: Optional[List[str]] = None) -> int:
    chosen = arguments(words)
    portal = Portal(chosen.url)
    mirror = Mirror(chosen.to, portal)
    with (chosen.to / WORK / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("another run is at work", file=sys.stderr)
            return 0
        try:
            mirror.run(chosen.product, set(chosen.part or PARTS))
        except (SyncError, OSError) as error:
            print(f"portal_mirror.py: not complete: {error}", file=sys.stderr)
            return 1
    print(f"complete: {mirror.fetched} files fetched, {mirror.deleted} deleted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
