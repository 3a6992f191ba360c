"""Installing through a mirror: real apt and dnf, a TLS server beside us, and what goes wrong."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from django.core.cache import cache
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from portal.accounts.models import User
from releases import tasks
from releases.client import portal_mirror
from releases.models import Mirror
from releases.signer.local import LocalSigner
from releases.tests import factory
from releases.tests.mirror_server import Authority, MirrorServer, serving
from tests.package_clients import Apt, Dnf, deb_architecture
from tests.programs import need

PACKAGE = "exampledb-server"


class Users:
    """People with apt and dnf, each time on a new machine."""

    def __init__(self, folder: Path, url: str, authority: Authority) -> None:
        self.folder, self.url, self.ca = folder, url, authority.ca
        self.machines = 0

    def apt(self) -> Apt:
        self.machines += 1
        apt = Apt(self.folder / f"apt{self.machines}")
        key = requests.get(f"{self.url}/keys/exampledb-archive-keyring.pgp", timeout=30).content
        apt.configure(self.configuration("debian-12", deb_architecture(), "sources"), key)
        with apt.conf.open("a") as conf:
            conf.write(f'Acquire::https::CaInfo "{self.ca}";\nAcquire::https::Proxy "DIRECT";\n')
        return apt

    def dnf(self) -> Dnf:
        self.machines += 1
        dnf = Dnf(self.folder / f"dnf{self.machines}")
        text = self.configuration("rhel-9", "x86_64", "repo")
        dnf.configure(f"{text.rstrip()}\nsslcacert={self.ca}\n")
        return dnf

    def configuration(self, distribution: str, arch: str, output: str) -> str:
        query = {"product": "exampledb", "series": "12.3", "distribution": distribution}
        query |= {"arch": arch, "format": output}
        answer = requests.get(f"{self.url}/repositories/", params=query, timeout=30)
        assert answer.status_code == 200, answer.text
        return answer.text


def attempts(client: Apt | Dnf) -> int:
    """How often a person has to call install until the package is there; three is too often."""
    said = ""
    for number in (1, 2):
        done = client.run("install", PACKAGE)
        said += f"\n--- {number}\n{done.stdout}\n{done.stderr}"
        if done.returncode == 0:
            return number
    pytest.fail(said)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def server(tmp_path: Path, settings: Settings, authority: Authority) -> Iterator[MirrorServer]:
    settings.RELEASE_FILES_DIR = tmp_path / "files"
    settings.MIRROR_CA, settings.MIRROR_PRIVATE_ADDRESSES = str(authority.ca), True
    with serving(tmp_path / "mirror", authority.server_context("localhost")) as found:
        yield found


def probed() -> Mirror:
    """Every mirror is looked at now, whatever its turn; the only one as it is then."""
    Mirror.objects.update(next_probe_at=Mirror.objects.get().active_since)
    tasks.probe_mirrors()
    cache.clear()
    return Mirror.objects.get()


def packages(server: MirrorServer, version: str) -> list[str]:
    """What clients fetched of a version from the mirror."""
    return [path for path in server.asked if re.search(rf"_?{version}.*\.(deb|rpm)$", path)]


@pytest.mark.proof
def test_clients_install_through_a_mirror_and_in_spite_of_one(
    live_server: LiveServer,
    server: MirrorServer,
    authority: Authority,
    settings: Settings,
    tmp_path: Path,
    dana: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    need("apt-get", "dnf", "rpm")
    settings.BASE_URL = live_server.url
    signer = LocalSigner(tmp_path / "signer")
    monkeypatch.setattr(tasks, "signer", lambda: signer)
    factory.published(actor=dana, signer=signer)
    users = Users(tmp_path, live_server.url, authority)
    sync = ["--url", live_server.url, "--to", str(server.folder)]

    # The mirror fetches, a probe finds it healthy, packages come from it and indices do not.
    assert portal_mirror.main(sync) == 0
    factory.make_mirror(base_url=server.url)
    found = probed()
    assert (found.health, found.reason) == ("healthy", "")
    server.asked.clear()
    for client in (users.apt(), users.dnf()):
        assert client.run("update" if isinstance(client, Apt) else "makecache").returncode == 0
        assert attempts(client) == 1
        assert client.has(f"usr/share/{PACKAGE}")
    assert len(packages(server, "12.3.0")) == 2
    assert [path for path in server.asked if path.endswith(("InRelease", "repomd.xml"))] == []

    # A newer release that the mirror has not fetched yet comes from here.
    time.sleep(1.1)
    second = factory.make_draft("12.3.1")
    factory.add_files(actor=dana, release=second)
    factory.publish(actor=dana, release=second, signer=signer)
    assert probed().behind == 1
    for client in (users.apt(), users.dnf()):
        client.run("update" if isinstance(client, Apt) else "makecache")
        assert attempts(client) == 1
    assert packages(server, "12.3.1") == []

    # The mirror has it and its bytes rot: clients refuse them, ask again, and get it from here.
    assert portal_mirror.main(sync) == 0
    assert probed().behind == 0
    server.asked.clear()
    for path in [*server.folder.rglob("*12.3.1*.deb"), *server.folder.rglob("*12.3.1*.rpm")]:
        path.write_bytes(path.read_bytes()[:-8] + b"corrupt!")
    calls = {}
    for client in (users.apt(), users.dnf()):
        client.run("update" if isinstance(client, Apt) else "makecache")
        calls[f"corrupt, {type(client).__name__}"] = attempts(client)
    assert len(packages(server, "12.3.1")) >= 2

    # It is gone between two probes.
    cache.clear()
    server.shutdown()
    server.server_close()
    for client in (users.apt(), users.dnf()):
        client.run("update" if isinstance(client, Apt) else "makecache")
        calls[f"dead, {type(client).__name__}"] = attempts(client)
    assert probed().health == "broken"
    assert not Mirror.objects.offered(timezone.now()).exists()
    assert calls == {"corrupt, Apt": 2, "corrupt, Dnf": 1, "dead, Apt": 2, "dead, Dnf": 1}
