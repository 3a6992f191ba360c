"""The packages that carry our public keys to clients, so that keys can change. Pure.

`<product>-archive-keyring` (deb) installs the keyring that a .sources file names; it leaves the
choice of a series to the administrator. `<product>-release` (rpm) installs the keys and a file with
every series of the product, none of them enabled. Both hold all keys that clients need: the ones
that sign, the ones that will, and those whose packages are still offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from releases.packaging import PackagedFile, build_deb, build_rpm


@dataclass(frozen=True)
class Keyring:
    """What the packages of a product hold; the same in gives the same bytes out."""

    product: str
    title: str
    maintainer: str
    stamp: int  # seconds since 1970
    armored: Sequence[str]
    binary: Sequence[bytes]

    def as_text(self) -> bytes:
        return "".join(block.rstrip("\n") + "\n" for block in self.armored).encode()

    def as_binary(self) -> bytes:
        return b"".join(self.binary)


@dataclass(frozen=True)
class Section:
    """A series in the .repo file; the address holds what dnf or zypper fill in."""

    name: str
    title: str
    address: str


def deb_name(product: str) -> str:
    return f"{product}-archive-keyring"


def rpm_name(product: str) -> str:
    return f"{product}-release"


def keyring_path(product: str) -> str:
    """Where the deb installs the keyring: what Signed-By names."""
    return f"/usr/share/keyrings/{deb_name(product)}.pgp"


def rpm_key_path(product: str) -> str:
    return f"/etc/pki/rpm-gpg/RPM-GPG-KEY-{product}"


def keyring_deb(keyring: Keyring, version: str) -> bytes:
    return build_deb(
        name=deb_name(keyring.product),
        version=version,
        architecture="all",
        summary=f"keys of the {keyring.title} package repositories",
        files=[PackagedFile(keyring_path(keyring.product), keyring.as_binary())],
        stamp=keyring.stamp,
        maintainer=keyring.maintainer,
        section="misc",
    )


def release_rpm(
    keyring: Keyring, version: str, *, family: str, tool: str, sections: Sequence[Section]
) -> bytes:
    folder = "/etc/zypp/repos.d" if tool == "zypper" else "/etc/yum.repos.d"
    repo = PackagedFile(
        f"{folder}/{keyring.product}.repo",
        repo_text(keyring, tool, family, sections).encode(),
        is_config=True,
    )
    return build_rpm(
        name=rpm_name(keyring.product),
        version=version,
        release=rpm_release(family),
        architecture="noarch",
        summary=f"Keys and configuration of the {keyring.title} package repositories",
        files=[PackagedFile(rpm_key_path(keyring.product), keyring.as_text()), repo],
        stamp=keyring.stamp,
        group="System Environment/Base",
    )


def rpm_release(family: str) -> str:
    """The release field: packages of different families differ, so their names do."""
    return f"1.{family}"


def repo_text(keyring: Keyring, tool: str, family: str, sections: Sequence[Section]) -> str:
    """The .repo file: enable one series, for example with `dnf config-manager --set-enabled`."""
    lines = [f"# {keyring.title}: set enabled=1 in the series that you want."]
    for section in sections:
        lines += [
            "",
            f"[{section.name}]",
            f"name={section.title}",
            f"baseurl={section.address}",
            f"gpgkey=file://{rpm_key_path(keyring.product)}",
            "enabled=0",
            "gpgcheck=1",
            "repo_gpgcheck=1",
        ]
        lines += ["autorefresh=1"] if tool == "zypper" else ["metadata_expire=6h"]
        lines += ["module_hotfixes=1"] if family == "rhel" else []
    return "\n".join(lines) + "\n"
