"""What it costs to take in a release of 100 packages, once their bytes are there.

Ours: a worker with nothing started yet gets the message of each upload: hashed, read by a confined
reader, kept durably, entered in the database. The peer hashes and copies the same bytes with
coreutils, five processes at a time; nothing of it is synced.
"""

from __future__ import annotations

import random
import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import Cost, Measurement, _installation

PACKAGES = 100
SIZES = {"64 kB": 2**16, "4 MiB": 4 * 2**20}
PEER = "md5sum, sha1sum, sha256sum, sha512sum in parallel + cp"
WORDS = "md5sum {0} & sha1sum {0} & sha256sum {0} & sha512sum {0} & cp {0} {1} & wait"


def measure() -> Iterator[Measurement]:
    with _installation.django() as found:
        for number, (label, size) in enumerate(SIZES.items()):
            yield _ingest(found.folder, f"12.{number}.0", label, size)


def _ingest(folder: Path, version: str, label: str, size: int) -> Measurement:
    from portal.accounts.models import User
    from releases import sandbox, tasks
    from releases.tests import factory

    dana, _ = User.objects.get_or_create(email="dana@example.org", defaults={"name": "Dana"})
    release = factory.make_draft(version)
    packages = _packages(folder / version, version, size)
    uploads = [
        factory.send(
            actor=dana,
            release=release,
            name=path.name,
            data=path.read_bytes(),
            distributions=["debian-12"],
        )
        for path in packages
    ]

    def ours() -> None:
        """What a worker does with the messages of these uploads."""
        for upload in uploads:
            tasks.accept(str(upload.pk))
        sandbox.end_inspector()  # its cost is told to who ends it

    copies = folder / f"{version}-copies"
    copies.mkdir()
    words = WORDS.format(f"{folder / version}/*.deb", copies)

    def theirs() -> None:
        subprocess.run(["/bin/sh", "-c", words], check=True, stdout=subprocess.DEVNULL)

    peer, own = _cost(theirs), _cost(ours)
    if refused := release.uploads.exclude(state="accepted").first():
        raise RuntimeError(f"{refused} was refused: {refused.reason}")
    return Measurement(
        work="take in a release",
        size=f"{PACKAGES} .deb of {label}",
        ours=own,
        peer=PEER,
        theirs=peer,
        reach="wall within twice of the peer's",
        reached=own.wall_s <= 2 * peer.wall_s,
        runs=1,
    )


def _packages(folder: Path, version: str, size: int) -> list[Path]:
    """Sound packages whose data does not compress."""
    from releases.packaging.deb import ar_member
    from releases.tests import factory

    folder.mkdir()
    chance, paths = random.Random(version), []
    for number in range(PACKAGES):
        name = f"exampledb-part{number}"
        small = factory.deb(version, name)
        front = small[: small.index(b"data.tar.gz")]
        path = folder / f"{name}_{version}_amd64.deb"
        path.write_bytes(front + ar_member("data.tar.gz", chance.randbytes(size), factory.STAMP))
        paths.append(path)
    return paths


def _cost(work: Callable[[], object]) -> Cost:
    """Of this process and of those it starts."""
    wall, cpu = time.perf_counter(), _cpu()
    work()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Cost(time.perf_counter() - wall, _cpu() - cpu, round(peak, 1))


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(found.ru_utime + found.ru_stime for found in used)
