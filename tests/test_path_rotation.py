"""A key is changed while clients use the repositories: real apt and dnf, each with the old key, the
new key, and both; before, during and after. The keys are those of one product, by the command.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pysequoia
import pytest
import requests

from releases.signer import certificate
from tests.package_clients import Apt, Dnf, build_deb, build_rpm, deb_architecture
from tests.publisher import Publisher, wait_for
from tests.stack import ROOT, Stack

DAY = 86_400
PRODUCT = "rotatedb"
SERVER = f"{PRODUCT}-server"
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
baseurl={url}/yum/{product}/12.3/rhel/9/x86_64
gpgkey=file://{key}
gpgcheck=1
repo_gpgcheck=1
"""


class Clients:
    """New machines, each with some keys."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        self.stack, self.folder = stack, folder
        self._numbers: Iterator[int] = count()

    def apt(self, *keys: bytes) -> Apt:
        apt = Apt(self.folder / f"apt{next(self._numbers)}")
        values = {"url": self.stack.url, "product": PRODUCT, "architecture": deb_architecture()}
        apt.configure(SOURCES.format(**values), b"".join(keys))
        return apt

    def dnf(self, *keys: bytes) -> Dnf:
        root = self.folder / f"dnf{next(self._numbers)}"
        dnf = Dnf(root)
        (root / "keys.asc").write_text(
            "".join(str(pysequoia.Cert.from_bytes(key)) + "\n" for key in keys)
        )
        values = {"url": self.stack.url, "product": PRODUCT, "key": root / "keys.asc"}
        dnf.configure(REPO.format(**values))
        return dnf

    def apt_installs(self, *keys: bytes) -> bool:
        apt = self.apt(*keys)
        if apt.run("update").returncode != 0:
            return False
        return apt.run("install", SERVER).returncode == 0

    def dnf_installs(self, *keys: bytes) -> bool:
        return self.dnf(*keys).run("install", SERVER).returncode == 0

    def dnf_reads(self, *keys: bytes) -> bool:
        return self.dnf(*keys).run("makecache").returncode == 0


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


def publish(publisher: Publisher, folder: Path, version: str) -> None:
    folder = folder / version
    folder.mkdir()
    publisher.draft(version)
    publisher.upload(version, "--distribution", "debian-12", build_deb(folder, SERVER, version))
    publisher.upload(version, "--distribution", "rhel-9", build_rpm(folder, SERVER, version))
    publisher.publish(version)
    settle(publisher)


def public(stack: Stack, name: str) -> bytes:
    answer = requests.get(f"{stack.url}/keys/{name}.pgp", timeout=30)
    assert answer.status_code == 200
    return answer.content


@pytest.mark.proof
def test_clients_with_either_key_or_both_install_while_the_key_changes(
    stack: Stack, tmp_path: Path
) -> None:
    publisher, clients = Publisher(stack, PRODUCT), Clients(stack, tmp_path)
    now = int(time.time())
    # The first key was given a later end: a client may still have it as it was, expired.
    first = certificate.generate("Old <old@example.org>", created=now - 90 * DAY)
    plain = certificate.read(first)
    ends = {"past": now - DAY, "future": now + 300 * DAY}
    forms = {
        name: certificate.written(plain, signed=now - 80 * DAY, expires=end)
        for name, end in ends.items()
    }
    (tmp_path / "old.pgp").write_bytes(forms["future"])
    key(stack, "import", "rotate-old", str(tmp_path / "old.pgp"), "--for", PRODUCT, "--at-once")
    publish(publisher, tmp_path, "12.3.0")
    expired = bytes(pysequoia.Tsk.from_bytes(forms["past"]).extract_certificate())
    told = clients.apt(expired).run("update")
    assert told.returncode != 0
    assert "EXPKEYSIG" in told.stderr

    # Announced: the keyring packages bring the new key to clients that know the old one.
    key(stack, "add", "rotate-new", "--for", PRODUCT, "--algorithm", "ed25519")
    tend(publisher)
    old, new = public(stack, "exampledb-rotate-old"), public(stack, "exampledb-rotate-new")
    assert public(stack, f"{PRODUCT}-archive-keyring") == old + new
    apt, dnf = clients.apt(old), clients.dnf(old)
    assert apt.run("update").returncode == 0
    assert apt.run("install", f"{PRODUCT}-archive-keyring").returncode == 0
    keyring = apt.root / f"usr/share/keyrings/{PRODUCT}-archive-keyring.pgp"
    assert keyring.read_bytes() == old + new
    installed = dnf.run("install", f"{PRODUCT}-release")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    rpm_keys = dnf.root / f"etc/pki/rpm-gpg/RPM-GPG-KEY-{PRODUCT}"
    assert rpm_keys.read_text().count("BEGIN PGP PUBLIC KEY BLOCK") == 2
    assert f"[{PRODUCT}-12.3]" in (dnf.root / f"etc/yum.repos.d/{PRODUCT}.repo").read_text()
    sets = [(old,), (new,), (old, new)]
    before = [clients.apt_installs(*keys) for keys in sets]
    before += [clients.dnf_installs(*keys) for keys in sets]
    assert before == [True, False, True] * 2

    # Both sign: indices are good with either key; an rpm holds one signature, still the old key's.
    key(stack, "activate", "rotate-new")
    publish(publisher, tmp_path, "12.3.1")
    assert [clients.apt_installs(*keys) for keys in sets] == [True, True, True]
    assert [clients.dnf_reads(*keys) for keys in sets] == [True, True, True]
    assert [clients.dnf_installs(*keys) for keys in sets] == [True, False, True]

    # The new key alone.
    key(stack, "retire", "rotate-old")
    publish(publisher, tmp_path, "12.3.2")
    after = [clients.apt_installs(*keys) for keys in sets]
    after += [clients.dnf_installs(*keys) for keys in sets]
    assert after == [False, True, True] * 2
    # Clients that took the keyring packages go on; older rpms stay installable with both keys.
    keyring_client = clients.apt(keyring.read_bytes())
    assert keyring_client.run("update").returncode == 0
    older = clients.dnf(old, new).run("install", f"{SERVER}-12.3.0")
    assert older.returncode == 0, older.stdout + older.stderr
