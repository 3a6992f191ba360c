"""Package managers read repositories too: what they say is told, and nothing of them is left."""

from __future__ import annotations

import datetime as dt
import io
import ssl
import subprocess
from pathlib import Path

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from releases.actions.reading import place_of
from releases.models import Release
from releases.reading import Place, UnsoundError, programs
from releases.reading.http import Fetched, Http
from releases.tests.test_reading import repository_of
from tests.programs import need

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
DEB = "pool/main/e/exampledb-server/exampledb-server_12.3.0_amd64.deb"
RPM = "packages/e/exampledb-server-12.3.0-1.el9.x86_64.rpm"
KEYRING = "https://portal.example.org/keys/exampledb-archive-keyring.pgp"
APT = Place("https://portal.example.org/repo/12.3/debian", KEYRING, "bookworm", 1, NOW)
YUM = Place("https://portal.example.org/yum/12.3/rhel/9/x86_64", KEYRING, "", 1, NOW)
IN_RELEASE = b"Codename: bookworm\nArchitectures: amd64 arm64\nComponents: main main/debug\n"
APT_GET = """\
#!/bin/sh
echo "$1" >>{told}
test "$1" != update || {{ cat "$APT_CONFIG" etc/apt/sources.list; }} >>{told}
test "$1" != indextargets || echo {told}.index
"""
DNF = """\
#!/bin/sh
cat dnf.conf >>{told}
for word in "$@"; do echo "$word" >>{told}; done
mkdir -p cache/repository-1/pubring
case "$*" in *list*) printf 'Available Packages\\nexampledb-server.x86_64  12.3.0-1\\n';; esac
"""


class Programs:
    """A folder of programs that note what they are told."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.told = folder, folder / "told"
        self.told.with_name("told.index").write_text("Package: exampledb-server\nVersion: 1\n")
        patch.setattr(programs, "PLACES", f"{folder}:/usr/bin:/bin")

    def put(self, name: str, script: str) -> None:
        path = self.folder / name
        path.write_text(
            script.replace("{told}", str(self.told)).replace("{{", "{").replace("}}", "}")
        )
        path.chmod(0o755)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    return Programs(tmp_path, monkeypatch)


def fetched(url: str, *, most: int) -> Fetched:
    body = IN_RELEASE if url.endswith("InRelease") else b"keys"
    return Fetched(io.BytesIO(body), len(body), "", "localhost")


def test_apt_get_is_told_what_a_client_is_told(installed: Programs) -> None:
    installed.put("apt-get", APT_GET)
    assert programs.read_by_programs(APT, DEB, fetched) == "apt-get"
    told = installed.told.read_text()
    assert "keyring.pgp arch=amd64,arm64]" in told
    assert "https://portal.example.org/repo/12.3/debian bookworm main main/debug\n" in told
    assert 'APT::Architectures { "amd64"; "arm64"; };' in told


def test_dnf_is_told_what_a_client_is_told_and_its_agent_ends(installed: Programs) -> None:
    installed.put("dnf", DNF)
    installed.put("gpgconf", '#!/bin/sh\necho "agent $*" >>{told}\n')
    assert programs.read_by_programs(YUM, RPM, fetched) == "dnf"
    told = installed.told.read_text()
    assert "repo_gpgcheck=1" in told
    assert f"gpgkey={KEYRING.removesuffix('.pgp')}.asc\n" in told
    assert "--forcearch=x86_64" in told
    assert "cache/repository-1/pubring --kill gpg-agent" in told


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("#!/bin/sh\necho 'E: The repository is not signed.' >&2\nexit 100\n", "is not signed"),
        ("#!/bin/sh\nexit 0\n", "reads the index and does not know exampledb-server"),
        ("#!/bin/sh\nexec sleep 60\n", "takes longer than"),
    ],
)
def test_what_it_says_is_told(
    script: str, reason: str, installed: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "SECONDS", 0.05 if "sleep" in script else 60)
    installed.put("apt-get", script)
    with pytest.raises(UnsoundError, match=reason):
        programs.read_by_programs(APT, DEB, fetched)


def test_what_is_not_installed_is_not_asked(
    installed: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "PLACES", str(installed.folder))
    assert programs.read_by_programs(APT, DEB, fetched) == ""
    assert programs.read_by_programs(YUM, RPM, fetched) == ""


def test_an_empty_repository_has_nothing_to_know(installed: Programs) -> None:
    installed.put("apt-get", APT_GET)
    assert programs.read_by_programs(APT, "", fetched) == "apt-get"


def test_a_list_without_its_fields_is_not_sound(installed: Programs) -> None:
    installed.put("apt-get", APT_GET)

    def empty(url: str, *, most: int) -> Fetched:
        return Fetched(io.BytesIO(b""), 0, "", "localhost")

    with pytest.raises(UnsoundError, match="no field Architectures"):
        programs.read_by_programs(APT, DEB, empty)


@pytest.mark.proof
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("program", "distribution", "package"),
    [("apt-get", "debian-12", DEB), ("dnf", "rhel-9", RPM)],
)
def test_the_real_ones_read_what_is_published_and_leave_nothing(
    program: str,
    distribution: str,
    package: str,
    release: Release,
    live_server: LiveServer,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    need(program)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    settings.BASE_URL = live_server.url
    place = place_of(repository_of(distribution))
    get = Http(ssl.create_default_context()).get
    assert programs.read_by_programs(place, package, get) == program
    with pytest.raises(UnsoundError, match="does not know another"):
        programs.read_by_programs(place, package.replace("exampledb-server", "another"), get)
    assert list(folder.iterdir()) == []
    running = subprocess.run(["ps", "ax", "-o", "args"], capture_output=True, text=True, check=True)
    assert str(folder) not in running.stdout
