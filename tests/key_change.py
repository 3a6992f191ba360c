"""What tests need in which a product changes its signing key: keys by the operator's command,
releases by dana, and new machines that know some of the keys.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pysequoia
import requests

from tests.package_clients import Apt, Dnf, Zypper, build_deb, build_rpm, deb_architecture
from tests.publisher import Publisher, wait_for
from tests.stack import ROOT, Stack

SOURCES = """\
Types: deb
URIs: {url}/repo/{product}/12.3/debian
Suites: bookworm
Components: main
Architectures: {architecture}
Signed-By: here
"""
REPO = """\
[{product}]
name={product}
baseurl={url}/yum/{product}/12.3/{system}/x86_64
gpgkey=file://{key}
gpgcheck=1
repo_gpgcheck=1
"""


class Clients:
    """New machines, each with some keys, that install the server of one product."""

    def __init__(self, stack: Stack, product: str, folder: Path) -> None:
        self.stack, self.product, self.folder = stack, product, folder
        self.server = f"{product}-server"
        self._numbers: Iterator[int] = count()

    def apt(self, *keys: bytes) -> Apt:
        apt = Apt(self.folder / f"apt{next(self._numbers)}")
        values = {"product": self.product, "architecture": deb_architecture()}
        apt.configure(SOURCES.format(url=self.stack.url, **values), b"".join(keys))
        return apt

    def dnf(self, *keys: bytes) -> Dnf:
        root = self.folder / f"dnf{next(self._numbers)}"
        dnf = Dnf(root)
        dnf.configure(self._repo(root, "rhel/9", keys))
        return dnf

    def zypper(self, *keys: bytes, extra: str = "") -> Zypper:
        """`extra` are more lines of its .repo file."""
        root = self.folder / f"zypper{next(self._numbers)}"
        zypper = Zypper(root)
        zypper.configure(self._repo(root, "opensuse/16", keys) + extra)
        return zypper

    def _repo(self, root: Path, system: str, keys: tuple[bytes, ...]) -> str:
        file = root / "keys.asc"
        file.write_text("".join(str(pysequoia.Cert.from_bytes(key)) + "\n" for key in keys))
        values = {"url": self.stack.url, "product": self.product, "key": file}
        return REPO.format(system=system, **values)

    def apt_installs(self, *keys: bytes) -> bool:
        apt = self.apt(*keys)
        if apt.run("update").returncode != 0:
            return False
        return apt.run("install", self.server).returncode == 0

    def dnf_installs(self, *keys: bytes) -> bool:
        return self.dnf(*keys).run("install", self.server).returncode == 0

    def dnf_reads(self, *keys: bytes) -> bool:
        return self.dnf(*keys).run("makecache").returncode == 0

    def zypper_reads(self, *keys: bytes) -> bool:
        return self.zypper(*keys).run("refresh").returncode == 0

    def zypper_installs(self, *keys: bytes, extra: str = "") -> bool:
        zypper = self.zypper(*keys, extra=extra)
        done = zypper.run("install", self.server)
        return done.returncode == 0 and zypper.has(f"usr/share/{self.server}/VERSION")


def key(stack: Stack, *words: str) -> str:
    """The operator's command, beside the running signer."""
    done = subprocess.run(
        [sys.executable, "-m", "releases.signer", "key", *words],
        env=stack.env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def tend(publisher: Publisher) -> None:
    """What beat asks for every five minutes."""
    publisher.stack.manage(
        "shell", "--verbosity=0", "--command", "from releases.tasks import tend_keys; tend_keys()"
    )
    settle(publisher)


def settle(publisher: Publisher) -> None:
    wait_for(lambda: publisher.states() <= {"current", "past"}, patience=90)


def publish(publisher: Publisher, folder: Path, version: str, *rpm_systems: str) -> None:
    """The server for Debian 12, and one rpm for the systems named."""
    folder = folder / version
    folder.mkdir()
    publisher.draft(version)
    name = f"{publisher.slug}-server"
    publisher.upload(version, "--distribution", "debian-12", build_deb(folder, name, version))
    chosen = [word for system in rpm_systems for word in ("--distribution", system)]
    publisher.upload(version, *chosen, build_rpm(folder, name, version))
    publisher.publish(version)
    settle(publisher)


def public(stack: Stack, name: str) -> bytes:
    answer = requests.get(f"{stack.url}/keys/{name}.pgp", timeout=30)
    assert answer.status_code == 200
    return answer.content
