"""A build is published and installed: the real processes, the real client, real apt and dnf."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from tests.package_clients import Apt, Dnf, build_deb, build_rpm, deb_architecture
from tests.publisher import Publisher, shown, wait_for
from tests.stack import Stack


@contextmanager
def flipped(path: Path) -> Iterator[None]:
    """One byte in the middle of the file is another one, for a while."""
    data = path.read_bytes()
    at = len(data) // 2
    path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    try:
        yield
    finally:
        path.write_bytes(data)


def blob(stack: Stack, query: str, *values: str) -> Path:
    """Where the stack keeps the bytes that the query names by their SHA-256."""
    ((sha256,),) = stack.sql(query, values)
    folder = Path(stack.env["STATE_DIR"]) / "releases/blobs"
    sha256 = str(sha256)
    return folder / sha256[:2] / sha256[2:4] / sha256


pytestmark = pytest.mark.proof
INDEX = (
    "SELECT b.sha256 FROM releases_blob b JOIN releases_indexfile i ON i.blob_id = b.id"
    " JOIN releases_publication p ON p.id = i.publication_id"
    " JOIN releases_repository r ON r.current_id = p.id"
    " JOIN releases_series s ON s.id = r.series_id JOIN releases_product d ON d.id = s.product_id"
    " WHERE d.slug = %s AND r.release_id IS NULL AND r.distribution = %s AND r.architecture = %s"
    " AND i.path LIKE %s"
)
PACKAGE = (
    "SELECT b.sha256 FROM releases_blob b JOIN releases_file f ON f.blob_id = b.id"
    " JOIN releases_package k ON k.file_id = f.id JOIN releases_product d ON d.id = k.product_id"
    " WHERE d.slug = %s AND k.format = %s"
)


def test_a_build_is_published_and_installed(stack: Stack, tmp_path: Path) -> None:
    publisher = Publisher(stack, "pathdb")
    name = "pathdb-server"
    deb, rpm = build_deb(tmp_path, name, "12.3.0"), build_rpm(tmp_path, name, "12.3.0")
    source = tmp_path / "pathdb-12.3.0.tar.gz"
    with tarfile.open(source, "w:gz") as tar:
        tar.add(deb, "pathdb-12.3.0/README")
    publisher.draft("12.3.0")
    publisher.upload("12.3.0", "--distribution", "debian-12", deb)
    publisher.upload("12.3.0", "--distribution", "rhel-9", rpm)
    publisher.upload("12.3.0", "--os", "Source", source)
    for path in surfaces("pathdb", deb.name):
        assert requests.get(stack.url + path, timeout=30).status_code == 404, path
    assert publisher.generator().text.count("pathdb 12.3") == 0

    publisher.publish("12.3.0")
    wait_for(lambda: publisher.states() == {"current"})
    page = requests.get(f"{stack.url}/releases/pathdb/12.3.0/", timeout=30).text
    assert "Do not use this release in production" in page
    got = requests.get(f"{stack.url}/releases/pathdb/12.3.0/{source.name}", timeout=30)
    assert got.content == source.read_bytes()
    sums = requests.get(f"{stack.url}/releases/pathdb/12.3.0/sha256sums.txt", timeout=30).text
    assert f"{hashlib.sha256(source.read_bytes()).hexdigest()}  {source.name}\n" in sums

    check_apt(stack, publisher, tmp_path, deb.name)
    check_dnf(stack, publisher, tmp_path)


def surfaces(slug: str, file: str) -> list[str]:
    return [
        f"/releases/{slug}/",
        f"/releases/{slug}/12.3.0/",
        f"/releases/{slug}/12.3.0/{file}",
        f"/releases/{slug}/12.3.0/{file}.sha256",
        f"/releases/{slug}/12.3.0/{file}.asc",
        f"/releases/{slug}/12.3.0/sha256sums.txt",
        f"/repo/{slug}/12.3/debian/dists/bookworm/InRelease",
        f"/repo/{slug}/12.3/debian/pool/main/p/pathdb-server/{file}",
        f"/yum/{slug}/12.3/rhel/9/x86_64/repodata/repomd.xml",
    ]


def check_apt(stack: Stack, publisher: Publisher, folder: Path, deb: str) -> None:
    """The text on the page makes apt install, and a flipped byte makes it refuse."""
    slug, architecture = publisher.slug, deb_architecture()
    page = publisher.generator(distribution="debian-12", arch=architecture).text
    sources = shown(page, f"/etc/apt/sources.list.d/{slug}.sources")
    address = re.search(r"http\S+\.pgp", page)
    assert address is not None
    keyring = requests.get(address[0], timeout=30).content
    roots = iter(range(100))

    def machine() -> Apt:
        apt = Apt(folder / f"apt{next(roots)}")
        apt.configure(sources, keyring)
        return apt

    apt = machine()
    update = apt.run("update")
    assert update.returncode == 0, update.stderr
    install = apt.run("install", f"{slug}-server")
    assert install.returncode == 0, install.stdout + install.stderr
    assert apt.has(f"usr/share/{slug}-server/VERSION")

    index = blob(stack, INDEX, slug, "debian-12", "", f"main/binary-{architecture}/Packages.zst")
    gz = blob(stack, INDEX, slug, "debian-12", "", f"main/binary-{architecture}/Packages.gz")
    with flipped(index), flipped(gz):
        refused = machine().run("update")
        assert refused.returncode != 0
        assert "Hash Sum mismatch" in refused.stderr
    with flipped(blob(stack, INDEX, slug, "debian-12", "", "InRelease")):
        refused = machine().run("update")
        assert refused.returncode != 0
    with flipped(blob(stack, PACKAGE, slug, "deb")):
        apt = machine()
        assert apt.run("update").returncode == 0
        refused = apt.run("install", f"{slug}-server")
        assert refused.returncode != 0
        assert "Hash Sum mismatch" in refused.stderr
        assert not apt.has(f"usr/share/{slug}-server/VERSION")


def check_dnf(stack: Stack, publisher: Publisher, folder: Path) -> None:
    """The same with dnf, whose packages are signed too."""
    slug = publisher.slug
    page = publisher.generator(distribution="rhel-9", arch="x86_64").text
    repo = shown(page, f"/etc/yum.repos.d/{slug}.repo")
    assert "\ngpgcheck=1\n" in repo
    assert "\nrepo_gpgcheck=1\n" in repo
    roots = iter(range(100))

    def machine() -> Dnf:
        dnf = Dnf(folder / f"dnf{next(roots)}")
        dnf.configure(repo)
        return dnf

    dnf = machine()
    install = dnf.run("install", f"{slug}-server")
    assert install.returncode == 0, install.stdout + install.stderr
    assert dnf.has(f"usr/share/{slug}-server/VERSION")
    index = blob(stack, INDEX, slug, "rhel-9", "x86_64", "%-primary.xml.gz")
    repomd = blob(stack, INDEX, slug, "rhel-9", "x86_64", "%/repomd.xml")
    for path in (index, repomd, blob(stack, PACKAGE, slug, "rpm")):
        with flipped(path):
            dnf = machine()
            assert dnf.run("install", f"{slug}-server").returncode != 0
            assert not dnf.has(f"usr/share/{slug}-server/VERSION")


@pytest.mark.parametrize("victim", ["worker", "signer", "web"])
def test_a_process_killed_while_publishing_costs_nothing(
    stack: Stack, tmp_path: Path, victim: str
) -> None:
    publisher = Publisher(stack, f"kill{victim}")
    deb = build_deb(tmp_path, f"kill{victim}-server", "12.3.0")
    publisher.draft("12.3.0")
    publisher.upload("12.3.0", "--distribution", "debian-12", deb)
    if victim == "signer":
        stack.kill("signer")
    publisher.publish("12.3.0")
    if victim != "signer":
        stack.kill(victim)
    time.sleep(0.5)
    stack.start(victim)
    stack.wait_ready()
    wait_for(lambda: "current" in publisher.states() <= {"current", "past"}, patience=90)
    page = publisher.generator(distribution="debian-12", format="sources")
    assert page.status_code == 200
    serials = stack.sql(  # a keyring package may have come since, in a publication of its own
        "SELECT p.serial FROM releases_publication p JOIN releases_repository r"
        " ON r.id = p.repository_id WHERE r.label = %s"
        " AND r.release_id IS NULL AND NOT EXISTS ("
        "  SELECT FROM releases_membership m JOIN releases_package k ON k.id = m.package_id"
        "  WHERE m.repository_id = r.id AND m.since_serial = p.serial"
        "  AND k.name LIKE '%%-archive-keyring')",
        (f"kill{victim}",),
    )
    assert serials == [(1,)]


def test_an_upload_goes_on_after_the_web_process_was_killed(stack: Stack, tmp_path: Path) -> None:
    publisher = Publisher(stack, "resumedb")
    publisher.draft("12.3.0")
    big = tmp_path / "resumedb-12.3.0.zip"
    big.write_bytes(os.urandom(96 * 2**20))
    client = subprocess.Popen(
        publisher.client("12.3.0", big), env=publisher.environ, stderr=subprocess.PIPE, text=True
    )

    def received() -> int:
        ((offset,),) = stack.sql(
            "SELECT coalesce(max(u.offset), 0) FROM releases_upload u WHERE u.name = %s",
            (big.name,),
        )
        return int(offset)

    wait_for(lambda: 0 < received() < big.stat().st_size)
    stack.kill("web")
    kept = received()
    assert 0 < kept < big.stat().st_size
    stack.start("web")
    stack.wait_ready()
    _, told = client.communicate(timeout=120)
    assert client.returncode == 0, told
    assert "trying again" in told
    ((sha256, size),) = stack.sql(
        "SELECT b.sha256, b.size FROM releases_file f JOIN releases_blob b ON b.id = f.blob_id"
        " WHERE f.name = %s",
        (big.name,),
    )
    assert (sha256, size) == (hashlib.sha256(big.read_bytes()).hexdigest(), big.stat().st_size)
