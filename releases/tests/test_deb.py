"""Reading .deb files: what is taken, what is refused, and that nothing unpacks without end."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile

import pytest
import zstandard

from releases.demonstration_packages import build_deb
from releases.packaging.deb import AR_MAGIC, ar_member, tar
from releases.repository import deb

CONTROL = (
    "Package: exampledb\nVersion: 1:2.0~rc1-1\nArchitecture: all\nMaintainer: D <d@example.org>\n"
    "Description: A database\n with two lines\n .\n and a third\n"
)
PLAIN_TAR = gzip.decompress(tar({"control": CONTROL.encode()}, 0))


def package(
    control: bytes = tar({"control": CONTROL.encode()}, 0), name: str = "control.tar.gz"
) -> bytes:
    members = [ar_member("debian-binary", b"2.0\n", 0), ar_member(name, control, 0)]
    return AR_MAGIC + b"".join([*members, ar_member("data.tar.gz", b"not opened", 0)])


def read(data: bytes) -> deb.Control:
    return deb.read(io.BytesIO(data), len(data))


@pytest.mark.parametrize(
    ("name", "control"),
    [
        ("control.tar", PLAIN_TAR),
        ("control.tar.gz", gzip.compress(PLAIN_TAR)),
        ("control.tar.xz", lzma.compress(PLAIN_TAR)),
        ("control.tar.zst", zstandard.compress(PLAIN_TAR)),
    ],
)
def test_every_compression_of_control_is_read(name: str, control: bytes) -> None:
    found = read(package(control, name))
    assert (found.package, found.version, found.architecture) == ("exampledb", "1:2.0~rc1-1", "all")
    assert found.text == CONTROL.rstrip("\n")


def test_our_own_packages_are_read() -> None:
    data = build_deb(
        name="a-b", version="1.0", architecture="amd64", summary="x", text="y", stamp=1
    )
    assert read(data).package == "a-b"


BAD_CONTROL = {
    "a path as name": CONTROL.replace("exampledb", "../../../../outside/evil"),
    "an upper-case name": CONTROL.replace("exampledb", "ExampleDB"),
    "a path as version": CONTROL.replace("1:2.0~rc1-1", "1/../../2"),
    "no version": CONTROL.replace("Version: 1:2.0~rc1-1\n", ""),
    "an unknown architecture": CONTROL.replace("all", "../all"),
    "two stanzas": f"{CONTROL}\n{CONTROL}",
    "a stanza after a line of spaces": f"{CONTROL} \nPackage: other\n",
    "a field twice": f"{CONTROL}version: 3\n",
    "our own field": f"{CONTROL}Filename: pool/x.deb\n",
    "our own digest": f"{CONTROL}SHA256: 00\n",
    "a NUL": CONTROL.replace("A database", "A\0database"),
    "a carriage return": CONTROL.replace("A database", "A\rSize: 3"),
    "a line separator": CONTROL.replace("A database", "A\u2028Size: 3"),
    "a line without colon": f"{CONTROL}nonsense\n",
    "a folded line first": f" folded\n{CONTROL}",
}


@pytest.mark.parametrize("what", BAD_CONTROL)
def test_a_control_file_off_the_allow_list_is_refused(what: str) -> None:
    with pytest.raises(deb.DebError):
        deb.parse(BAD_CONTROL[what].encode())


def test_a_control_file_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(deb.DebError, match="UTF-8"):
        deb.parse(CONTROL.encode() + b"X: \xff\n")


@pytest.mark.parametrize("length", range(0, 400, 7))
def test_a_package_cut_off_anywhere_is_refused(length: int) -> None:
    with pytest.raises(deb.DebError):
        read(package()[:length])


def test_an_unpacking_bomb_is_refused() -> None:
    bomb = gzip.compress(PLAIN_TAR[:512] + bytes(200 * 2**20), 9)
    assert len(bomb) < 2**20
    with pytest.raises(deb.DebError):
        read(package(bomb))
    large = tar({"md5sums": bytes(17 * 2**20), "control": CONTROL.encode()}, 0)
    with pytest.raises(deb.DebError, match="too much"):
        read(package(large))
    with pytest.raises(deb.DebError, match="too much"):
        read(package(gzip.compress(PLAIN_TAR + bytes(17 * 2**20))))
    with pytest.raises(deb.DebError):
        read(package(tar({"control": bytes(2 * 2**20)}, 0)))


def test_the_files_that_packages_have_beside_control_are_taken() -> None:
    names = ["conffiles", "md5sums", "postinst", "prerm", "shlibs", "symbols", "triggers"]
    files = dict.fromkeys(names, b"text\n")
    assert read(package(tar(files | {"control": CONTROL.encode()}, 0))).package == "exampledb"


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE])
def test_links_and_devices_in_control_are_refused(kind: bytes) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo("./control")
        entry.type, entry.linkname = kind, "/etc/passwd"
        archive.addfile(entry)
    with pytest.raises(deb.DebError, match="no links"):
        read(package(buffer.getvalue(), "control.tar"))


STRANGE = {
    "no ar": b"PK\x03\x04" + bytes(100),
    "another format": package().replace(b"2.0\n", b"9.0\n"),
    "an unknown compression": package(b"x", "control.tar.bz2"),
    "a wrong order": AR_MAGIC + ar_member("control.tar", PLAIN_TAR, 0),
    "a member more": package() + ar_member("extra", b"x", 0),
    "garbage as gz": package(b"\x1f\x8b" + bytes(50)),
    "garbage as xz": package(b"\xfd7zXZ\0" + bytes(50), "control.tar.xz"),
    "xz cut off": package(lzma.compress(PLAIN_TAR)[:60], "control.tar.xz"),
    "garbage as zst": package(b"\x28\xb5\x2f\xfd" + bytes(50), "control.tar.zst"),
    "no control in control.tar": package(tar({"postinst": b"#!/bin/sh\n"}, 0)),
    "control twice": package(tar({"control": b"a"}, 0)[:-1]),
    "a size that is no number": AR_MAGIC + b"debian-binary".ljust(48) + b"ten       `\n",
    "no tar": package(gzip.compress(b"x" * 512)),
    "a size in tar that is no number": package(
        PLAIN_TAR[:124] + b"zzzzzzzzzzz\0" + PLAIN_TAR[136:], "control.tar"
    ),
    "a tar that ends in its first file": package(PLAIN_TAR[:600], "control.tar"),
    "a tar that ends in another file": package(
        gzip.decompress(tar({"postinst": b"x" * 900}, 0))[:800], "control.tar"
    ),
}


@pytest.mark.parametrize("what", STRANGE)
def test_a_strange_archive_is_refused(what: str) -> None:
    with pytest.raises(deb.DebError):
        read(STRANGE[what])
