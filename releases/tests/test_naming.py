"""What the name of a file tells of it."""

from __future__ import annotations

import pytest

from releases.naming import Guess, expected_name, guess


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("exampledb-server_12.3.0+maria~deb12_amd64.deb", (("debian-12",), "Linux", "x86_64")),
        ("exampledb-server_12.3.0+maria~deb11_arm64.deb", (("debian-11",), "Linux", "aarch64")),
        ("exampledb_12.3.0+maria~ubu2404_amd64.deb", (("ubuntu-2404",), "Linux", "x86_64")),
        ("exampledb_12.3.0-1~ubuntu22.04_all.deb", (("ubuntu-2204",), "Linux", "")),
        ("exampledb_12.3.0-1~bookworm_amd64.deb", (("debian-12",), "Linux", "x86_64")),
        ("exampledb_12.3.0_amd64.deb", ((), "Linux", "x86_64")),
        ("exampledb_12.3.0~deb123_amd64.deb", ((), "Linux", "x86_64")),
        ("exampledb-12.3.0-1.el9.x86_64.rpm", (("rhel-9",), "Linux", "x86_64")),
        ("exampledb-12.3.0-1.el10.aarch64.rpm", (("rhel-10",), "Linux", "aarch64")),
        ("exampledb-12.3.0-1.fc43.noarch.rpm", (("fedora-43",), "Linux", "")),
        ("exampledb-12.3.0-1.sle15.x86_64.rpm", (("sles-15",), "Linux", "x86_64")),
        ("exampledb-model9-1.0-1.x86_64.rpm", ((), "Linux", "x86_64")),
        ("exampledb-12.3.0.tar.gz", ((), "Source", "")),
        ("exampledb-12.3.0-linux-systemd-x86_64.tar.gz", ((), "Linux", "x86_64")),
        ("exampledb-12.3.0-winx64.zip", ((), "Windows", "x86_64")),
        ("exampledb-12.3.0-win32.msi", ((), "Windows", "i686")),
        ("exampledb-12.3.0-macos-arm64.pkg", ((), "macOS", "aarch64")),
        ("README", ((), "", "")),
    ],
)
def test_a_name_tells_what_the_file_is_for(
    name: str, told: tuple[tuple[str, ...], str, str]
) -> None:
    assert guess(name) == Guess(*told)


def test_the_file_of_a_package_is_called_after_it_without_its_epoch() -> None:
    assert expected_name("deb", "a", "1:2.0-1", "all") == "a_2.0-1_all.deb"
    assert expected_name("rpm", "a", "3:2.0-1.el9", "noarch") == "a-2.0-1.el9.noarch.rpm"
