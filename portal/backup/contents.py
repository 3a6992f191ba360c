"""Files under their digest: what did not change since the last copy is not copied again."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from portal.backup import BackupError
from portal.backup.manifest import Sum, chunks, sum_of

BLOB: Final = re.compile(r"blobs/[0-9a-f]{2}/[0-9a-f]{2}/([0-9a-f]{64})")
KEPT: Final = re.compile(r"blobs/[0-9a-f/]+|uploads/[0-9a-f-]+\.part")  # of the release files
DRAFT: Final = "draft-"  # what is being copied; without its digest it is not there


@dataclass(frozen=True)
class Line:
    """A file of the portal: the folder that it lies in, its path below, and its content."""

    root: str
    path: str
    sum: Sum


class Contents:
    """The folder `contents` of a backup folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        return self.folder / sha256[:2] / sha256[2:4] / sha256

    def add(self, source: Path, known: str = "") -> Sum:
        """Copy the file unless its content is here. `known` is the digest that its name promises.

        Raises BackupError where the file is not what its name says.
        """
        if known and self.path(known).exists():
            return Sum(known, self.path(known).stat().st_size)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=self.folder, prefix=DRAFT)) / "content"
        try:
            found = copy(source, draft)
            if known and found.sha256 != known:
                raise BackupError(f"{source} is damaged: its digest is {found.sha256}.")
            target = self.path(found.sha256)
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
            draft.parent.rmdir()
        return found

    def forget_all_but(self, wanted: set[str]) -> int:
        """Remove contents that no copy names, and drafts that a killed run left."""
        gone = 0
        for path in self.folder.rglob("*"):
            if path.is_file() and path.name not in wanted:
                path.unlink()
                gone += 1
        for path in self.folder.glob(f"{DRAFT}*"):
            path.rmdir()
        return gone


def copy(source: Path, target: Path) -> Sum:
    """The bytes, on the disk when this returns, and what they are."""
    digest, size = hashlib.sha256(), 0
    with target.open("wb") as file:
        for chunk in chunks(source):
            digest.update(chunk)
            size += len(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return Sum(digest.hexdigest(), size)


def gather(roots: Mapping[str, Path], contents: Contents) -> Iterator[Line]:
    """Copy every file below these folders that is to stay; one that goes meanwhile is left out."""
    for root, folder in roots.items():
        for path in sorted(folder.rglob("*")):
            below = path.relative_to(folder).as_posix()
            if root == "releases" and not KEPT.fullmatch(below):
                continue
            named = BLOB.fullmatch(below)
            try:
                if path.is_file():
                    yield Line(root, below, contents.add(path, named[1] if named else ""))
            except FileNotFoundError:
                continue


def write_list(path: Path, lines: Iterable[Line]) -> None:
    text = "".join(f"{one.sum.sha256} {one.sum.size} {one.root} {one.path}\n" for one in lines)
    path.write_text(text)


def read_list(path: Path) -> Iterator[Line]:
    """Raises BackupError where a line leads out of its folder."""
    for line in path.read_text().splitlines():
        sha256, size, root, below = line.split(" ", 3)
        if below.startswith("/") or ".." in Path(below).parts:
            raise BackupError(f"{path} names {below}.")
        yield Line(root, below, Sum(sha256, int(size)))


def check(contents: Contents, lines: Iterable[Line]) -> Iterator[str]:
    """What is wrong with the contents that these lines name, each looked at once."""
    for found in {line.sum for line in lines}:
        path = contents.path(found.sha256)
        if not path.exists():
            yield f"{path} is missing"
        elif sum_of(path) != found:
            yield f"{path} is damaged"


def put_back(contents: Contents, lines: Iterable[Line], roots: Mapping[str, Path]) -> int:
    """Copy the files to where they belong; those that an earlier run brought stay."""
    count = 0
    for line in lines:
        target = roots[line.root] / line.path
        count += 1
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.{os.getpid()}")
        copy(contents.path(line.sum.sha256), part)
        part.chmod(0o644)  # the signer, an account of its own, reads what it signs
        part.replace(target)
    return count
