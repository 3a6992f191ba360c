"""Machines follow a change of the signing key by the upgrades that they make anyway.

Each is set up by the steps of the generator. The keyring package of the product brings the new key
while the old one still signs; then the old key retires, and the machines go on: real apt, dnf and
zypper, nothing done by hand in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import requests

from tests.key_change import key, publish, tend
from tests.machine import Machine, machine
from tests.package_clients import deb_architecture
from tests.programs import need
from tests.publisher import Publisher
from tests.stack import Stack

PRODUCT = "keyringdb"
SERVER, RELEASE = f"{PRODUCT}-server", f"{PRODUCT}-release"
RPM_SYSTEMS = ("rhel-9", "opensuse-16")
KEYRING = f"/usr/share/keyrings/{PRODUCT}-archive-keyring.pgp"
RPM_KEYS = f"/etc/pki/rpm-gpg/RPM-GPG-KEY-{PRODUCT}"
UPGRADES = {
    "debian-12": "apt-get update; apt-get upgrade",
    "rhel-9": "dnf upgrade --refresh",
    "opensuse-16": "zypper --gpg-auto-import-keys refresh; zypper update",
}
# What these systems would say of themselves, were they not Debian.
VARIABLES = (
    "export ZYPP_REPO_RELEASEVER=16.0; mkdir -p /etc/dnf/vars; echo 9 >/etc/dnf/vars/releasever"
)
# The .repo file of the release rpm, which takes its keys from the machine alone.
BY_RPM = {
    "rhel-9": f"""\
dnf install {RELEASE}
mv /etc/yum.repos.d/{PRODUCT}.repo.rpmnew /etc/yum.repos.d/{PRODUCT}.repo
sed -i '/12.3/,$ s/enabled=0/enabled=1/' /etc/yum.repos.d/{PRODUCT}.repo
""",
    "opensuse-16": f"""\
zypper install {RELEASE}
zypper removerepo {PRODUCT}-12.3
zypper modifyrepo --enable {RELEASE}-12.3
""",
}

pytestmark = pytest.mark.proof


class Client:
    """A machine that was set up by the steps of the generator, perhaps by the release rpm then."""

    def __init__(self, stack: Stack, fresh: Machine, slug: str, *, by_rpm: bool) -> None:
        self.machine, self.slug, self.by_rpm = fresh, slug, by_rpm
        query = {"product": PRODUCT, "series": "12.3", "distribution": slug, "as": "json"}
        query["arch"] = deb_architecture()
        found = requests.get(f"{stack.url}/repositories/", params=query, timeout=30).json()
        for piece in next(iter(found["formats"].values())):
            if piece["path"]:
                fresh.write(piece["path"], piece["text"])
            elif piece["kind"] != "remove":
                fresh.run(piece["text"])
        if by_rpm:
            self.run(BY_RPM[slug])

    def run(self, script: str) -> str:
        return self.machine.run(f"{VARIABLES}\n{script}").stdout

    def upgrade(self) -> str:
        """What a machine does by itself each night; the version of the server then."""
        self.run(UPGRADES[self.slug])
        return self.machine.read(f"/usr/share/{SERVER}/VERSION").strip()

    def keys(self) -> int:
        """How many its keyring package has brought."""
        path = KEYRING if self.slug == "debian-12" else RPM_KEYS
        if self.slug == "debian-12":
            return self.run(f"gpg --show-keys --with-colons {path}").count("pub:")
        return self.machine.read(path).count("BEGIN PGP")


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[list[Machine]]:
    need("apt-get", "dnf", "zypper", "gpg")
    with ExitStack() as opened:
        yield [opened.enter_context(machine(tmp_path / f"m{at}")) for at in range(5)]


def test_machines_that_upgrade_go_on_when_the_old_key_retires(
    stack: Stack, machines: list[Machine], tmp_path: Path
) -> None:
    publisher = Publisher(stack, PRODUCT)
    key(stack, "add", "keyring-old", "--for", PRODUCT, "--at-once")
    publish(publisher, tmp_path, "12.3.0", *RPM_SYSTEMS)
    tend(publisher)
    kinds = [(slug, False) for slug in UPGRADES] + [(slug, True) for slug in BY_RPM]
    clients = [
        Client(stack, fresh, slug, by_rpm=by_rpm)
        for fresh, (slug, by_rpm) in zip(machines, kinds, strict=True)
    ]
    with_package = [one for one in clients if one.by_rpm or one.slug == "debian-12"]
    assert [one.keys() for one in with_package] == [1, 1, 1]

    # Announced: the next upgrade brings the new key, by a package that the old one signed.
    key(stack, "add", "keyring-new", "--for", PRODUCT, "--algorithm", "ed25519")
    tend(publisher)
    assert {one.upgrade() for one in clients} == {"12.3.0"}
    assert [one.keys() for one in with_package] == [2, 2, 2]

    key(stack, "activate", "keyring-new")
    publish(publisher, tmp_path, "12.3.1", *RPM_SYSTEMS)
    assert {one.upgrade() for one in clients} == {"12.3.1"}

    key(stack, "retire", "keyring-old")
    tend(publisher)
    publish(publisher, tmp_path, "12.3.2", *RPM_SYSTEMS)
    assert {one.upgrade() for one in clients} == {"12.3.2"}
