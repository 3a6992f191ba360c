"""apt-get and dnf run in a loop while the portal publishes and rolls back as fast as it can."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import requests

from tests.package_clients import Apt, Dnf, build_deb, build_rpm, deb_architecture
from tests.publisher import Publisher, shown, wait_for
from tests.stack import ROOT, Stack

WORK = "from tests.race_publisher import work; work({slug!r}, {stop!r})"


@dataclass
class Told:
    """What the runs of one client came to."""

    versions: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)


@pytest.mark.proof
def test_no_client_fails_while_the_portal_publishes_and_rolls_back(
    stack: Stack, tmp_path: Path
) -> None:
    race(stack, "racedb", tmp_path, runs=15)


@pytest.mark.proof_full
def test_none_of_three_hundred_runs_of_each_client_fails(stack: Stack, tmp_path: Path) -> None:
    race(stack, "longracedb", tmp_path, runs=300)


def race(stack: Stack, slug: str, folder: Path, *, runs: int) -> None:
    """Both clients update, install and remove `runs` times each; each run must succeed."""
    publisher = Publisher(stack, slug)
    package = f"{slug}-server"
    deb, rpm = build_deb(folder, package, "12.3.0"), build_rpm(folder, package, "12.3.0")
    publisher.draft("12.3.0")
    publisher.upload("12.3.0", "--distribution", "debian-12", deb)
    publisher.upload("12.3.0", "--distribution", "rhel-9", rpm)
    publisher.publish("12.3.0")
    wait_for(lambda: publisher.states() == {"current"}, patience=120)
    machines = [apt_run(publisher, folder, package), dnf_run(publisher, folder, package)]
    stop = folder / "stop"
    command = WORK.format(slug=slug, stop=str(stop))
    with (folder / "publisher.log").open("w") as log:
        working = subprocess.Popen(
            [sys.executable, "manage.py", "shell", "--verbosity=0", "--command", command],
            env=stack.env,
            cwd=ROOT,
            stdout=log,
            stderr=log,
        )
    try:
        with ThreadPoolExecutor(len(machines)) as pool:
            told = list(pool.map(lambda run: repeat(run, runs), machines))
    finally:
        stop.touch()
        working.wait(120)
    log_text = (folder / "publisher.log").read_text()
    assert working.returncode == 0, log_text[-3000:]
    published, rolled_back = map(int, log_text.split()[-2:])
    report(told, published, rolled_back)
    assert published >= 3
    assert rolled_back >= 3
    for one in told:
        assert sum(one.versions.values()) == runs
        assert len(one.versions) > 1, "the clients never saw a publication"


def repeat(run: Callable[[], str], runs: int) -> Told:
    told = Told()
    for _ in range(runs):
        begun = time.monotonic()
        told.versions[run()] += 1
        told.seconds.append(time.monotonic() - begun)
    return told


def report(told: list[Told], published: int, rolled_back: int) -> None:
    """For docs/proofs/race.md; pytest shows it with -s."""
    sys.stdout.write(f"{published} publications of new packages, {rolled_back} roll backs\n")
    for name, one in zip(("apt-get", "dnf"), told, strict=True):
        middle = sorted(one.seconds)[len(one.seconds) // 2]
        sys.stdout.write(
            f"{name}: {len(one.seconds)} runs, median {middle:.1f} s, {dict(one.versions)}\n"
        )


def apt_run(publisher: Publisher, folder: Path, package: str) -> Callable[[], str]:
    page = publisher.generator(distribution="debian-12", arch=deb_architecture()).text
    address = re.search(r"http\S+\.pgp", page)
    assert address is not None
    apt = Apt(folder / "apt")
    sources = shown(page, f"/etc/apt/sources.list.d/{publisher.slug}.sources")
    apt.configure(sources, requests.get(address[0], timeout=30).content)
    return lambda: installed(apt, package, ["update"])


def dnf_run(publisher: Publisher, folder: Path, package: str) -> Callable[[], str]:
    page = publisher.generator(distribution="rhel-9", arch="x86_64").text
    dnf = Dnf(folder / "dnf")
    dnf.configure(shown(page, f"/etc/yum.repos.d/{publisher.slug}.repo"))
    return lambda: installed(dnf, package, ["makecache", "--refresh"])


def installed(client: Apt | Dnf, package: str, refresh: list[str]) -> str:
    """The version that was installed from fresh metadata, and removed again."""
    for words in (refresh, ["install", package]):
        done = client.run(*words)
        assert done.returncode == 0, f"{words}: {done.stdout}\n{done.stderr}"
    version = (client.root / "usr/share" / package / "VERSION").read_text().strip()
    for words in (
        ["remove", package],
        ["clean", *(["packages"] if isinstance(client, Dnf) else [])],
    ):
        assert client.run(*words).returncode == 0
    return version
