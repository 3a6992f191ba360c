"""What a repository holds beside the newest packages: older versions, and symbols."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import requests

from tests.package_clients import Apt, Dnf, build_deb, build_rpm, deb_architecture
from tests.publisher import Publisher, shown, wait_for
from tests.stack import Stack

NAME = "olddb-server"


@pytest.mark.proof
def test_older_versions_and_symbols_are_installed_by_real_clients(
    stack: Stack, tmp_path: Path
) -> None:
    publisher = Publisher(stack, "olddb")
    for version in ("12.3.0", "12.3.1"):
        folder = tmp_path / version
        folder.mkdir()
        publisher.draft(version)
        for name in (NAME, f"{NAME}-dbgsym"):
            deb = build_deb(folder, name, version)
            publisher.upload(version, "--distribution", "debian-12", deb)
        rpm = build_rpm(folder, NAME, version)
        publisher.upload(version, "--distribution", "rhel-9", rpm)
        publisher.publish(version)
        wait_for(lambda: not publisher.states() & {"queued", "built", "signed"})
    assert publisher.states() == {"current", "past"}
    check_apt(publisher, tmp_path)
    check_dnf(publisher, tmp_path)


def check_apt(publisher: Publisher, folder: Path) -> None:
    page = publisher.generator(distribution="debian-12", arch=deb_architecture()).text
    address = re.search(r"http\S+\.pgp", page)
    assert address is not None
    sources = shown(page, f"/etc/apt/sources.list.d/{publisher.slug}.sources")
    both = re.sub(r"^Components: .*$", "Components: main main/debug", sources, flags=re.M)
    assert both != sources
    apt = Apt(folder / "apt")
    apt.configure(both, requests.get(address[0], timeout=30).content)
    update = apt.run("update")
    assert update.returncode == 0, update.stderr
    for words in ([f"{NAME}=12.3.0"], [f"{NAME}-dbgsym=12.3.0"]):
        install = apt.run("install", *words)
        assert install.returncode == 0, install.stdout + install.stderr
    assert apt.has(f"usr/share/{NAME}-dbgsym/VERSION")
    assert (apt.root / f"usr/share/{NAME}/VERSION").read_text() == "12.3.0\n"
    assert apt.run("install", NAME).returncode == 0
    assert (apt.root / f"usr/share/{NAME}/VERSION").read_text() == "12.3.1\n"


def check_dnf(publisher: Publisher, folder: Path) -> None:
    page = publisher.generator(distribution="rhel-9", arch="x86_64").text
    dnf = Dnf(folder / "dnf")
    dnf.configure(shown(page, f"/etc/yum.repos.d/{publisher.slug}.repo"))
    install = dnf.run("install", f"{NAME}-12.3.0")
    assert install.returncode == 0, install.stdout + install.stderr
    assert (dnf.root / f"usr/share/{NAME}/VERSION").read_text() == "12.3.0\n"
    assert dnf.run("upgrade", NAME).returncode == 0
    assert (dnf.root / f"usr/share/{NAME}/VERSION").read_text() == "12.3.1\n"
