"""The tools that others publish with, each taking one more package; nothing of them is signed."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench import Cost
from releases.demonstration_packages import build_rpm
from releases.packaging.deb import AR_MAGIC, ar_member, tar
from releases.tests.paragraphs import CONTROL

STAMP = 1_795_000_000
ON_A_LINE = 10_000  # files; the system bounds how long a command may be
DISTRIBUTIONS = """\
Origin: Bench
Label: Bench
Codename: bookworm
Architectures: amd64
Components: main
DebIndices: Packages Release . .gz
"""
FTPARCHIVE = """\
cd "$1" && mkdir -p dists/bookworm/main/binary-amd64 &&
apt-ftparchive --db cache.db packages pool > dists/bookworm/main/binary-amd64/Packages &&
gzip -9kf dists/bookworm/main/binary-amd64/Packages &&
apt-ftparchive release dists/bookworm > Release && mv Release dists/bookworm/Release
"""


@dataclass(frozen=True)
class Peer(ABC):
    """A tool with its own folder of packages."""

    name: str
    folder: Path

    @property
    def packages(self) -> Path:
        return self.folder / "pool"

    @abstractmethod
    def fill(self, files: list[Path]) -> Cost:
        """Set up, and publish all of these."""

    @abstractmethod
    def add(self, file: Path) -> Cost:
        """Publish one more."""

    def _link(self, file: Path) -> None:
        self.packages.mkdir(parents=True, exist_ok=True)
        os.link(file, self.packages / file.name)


class Reprepro(Peer):
    """Its own database; gz alone."""

    def fill(self, files: list[Path]) -> Cost:
        (self.folder / "conf").mkdir(parents=True)
        (self.folder / "conf/distributions").write_text(DISTRIBUTIONS)
        starts = range(0, len(files), ON_A_LINE)
        return functools.reduce(plus, (self._take(*files[at : at + ON_A_LINE]) for at in starts))

    def add(self, file: Path) -> Cost:
        return self._take(file)

    def _take(self, *files: Path) -> Cost:
        return run("reprepro", "-b", self.folder, "includedeb", "bookworm", *files)


class Aptly(Peer):
    """Its own database; without bz2 and lists of contents."""

    def fill(self, files: list[Path]) -> Cost:
        self.folder.mkdir(parents=True)
        config = {"rootDir": str(self.folder), "skipContentsPublishing": True}
        (self.folder / "aptly.conf").write_text(json.dumps(config))
        for file in files:
            self._link(file)
        self._aptly("repo", "create", "bench")
        added = self._aptly("repo", "add", "bench", self.packages)
        words = ("-distribution=bookworm", "-skip-signing", "-skip-bz2", "-skip-contents")
        return plus(added, self._aptly("publish", "repo", *words, "bench"))

    def add(self, file: Path) -> Cost:
        added = self._aptly("repo", "add", "bench", file)
        words = ("-skip-signing", "-skip-bz2", "-skip-contents")
        return plus(added, self._aptly("publish", "update", *words, "bookworm"))

    def _aptly(self, *words: str | Path) -> Cost:
        return run("aptly", f"-config={self.folder / 'aptly.conf'}", *words)


class FtpArchive(Peer):
    """Reads a folder, with a cache of what it read before."""

    def fill(self, files: list[Path]) -> Cost:
        for file in files:
            self._link(file)
        return run("sh", "-c", FTPARCHIVE, "sh", self.folder)

    def add(self, file: Path) -> Cost:
        self._link(file)
        return run("sh", "-c", FTPARCHIVE, "sh", self.folder)


class CreaterepoC(Peer):
    """Reads a folder and its last metadata; without the databases for old clients."""

    def fill(self, files: list[Path]) -> Cost:
        for file in files:
            self._link(file)
        return run("createrepo_c", "-q", "--no-database", self.packages)

    def add(self, file: Path) -> Cost:
        self._link(file)
        return run("createrepo_c", "-q", "--update", "--no-database", self.packages)


APT: dict[str, type[Peer]] = {"reprepro": Reprepro, "aptly": Aptly, "apt-ftparchive": FtpArchive}
YUM: dict[str, type[Peer]] = {"createrepo_c": CreaterepoC}


def installed(known: dict[str, type[Peer]]) -> dict[str, type[Peer]]:
    return {name: peer for name, peer in known.items() if shutil.which(name)}


def run(*words: str | Path) -> Cost:
    """What a command costs with all that it starts. A failure ends the measurement."""
    start = time.perf_counter()
    with subprocess.Popen(
        [str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        told = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{words[0]}: {told.decode()[-2000:]}")
    wall = time.perf_counter() - start
    return Cost(wall, used.ru_utime + used.ru_stime, round(used.ru_maxrss / 1024, 1))


def plus(one: Cost, other: Cost) -> Cost:
    return Cost(one.wall_s + other.wall_s, one.cpu_s + other.cpu_s, max(one.rss_mb, other.rss_mb))


def debs(folder: Path, number: int) -> Iterator[Path]:
    """Packages with the fields that ours have."""
    folder.mkdir(parents=True, exist_ok=True)
    data = ar_member("data.tar.gz", tar({"usr/share/exampledb/VERSION": b"12.3.0\n"}, STAMP), STAMP)
    for at in range(number):
        name = f"exampledb-{at}"
        control = CONTROL.format(name=name, version="12.3.0", architecture="amd64") + "\n"
        inner = tar({"control": control.encode()}, STAMP)
        front = ar_member("debian-binary", b"2.0\n", STAMP)
        path = folder / f"{name}_12.3.0_amd64.deb"
        path.write_bytes(AR_MAGIC + front + ar_member("control.tar.gz", inner, STAMP) + data)
        yield path


def rpms(folder: Path, number: int) -> Iterator[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    for at in range(number):
        name = f"exampledb-{at}"
        path = folder / f"{name}-12.3.0-1.el9.x86_64.rpm"
        path.write_bytes(
            build_rpm(
                name=name,
                version="12.3.0",
                release="1.el9",
                architecture="x86_64",
                summary="Example database",
                text=name,
                stamp=STAMP,
            )
        )
        yield path
