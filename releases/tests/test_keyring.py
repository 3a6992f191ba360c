"""The keyring packages: made when keys change, in each repository, read by dpkg and rpm."""

from __future__ import annotations

import datetime as dt
import subprocess
from pathlib import Path

from django.utils import timezone

from portal.accounts.models import User
from releases import keyrings, store
from releases.actions import publication as publications
from releases.actions.keyring import keyring_of, publish_keyrings, sections_of
from releases.actions.signature import remember_keys, sign_package
from releases.models import Package, Product, Release, Repository
from releases.signer import key
from releases.signer.local import LocalSigner, secret_of
from releases.tests import factory
from tests.programs import need


def product() -> Product:
    return Product.objects.get(slug="exampledb")


def publish(signer: LocalSigner) -> int:
    """Let the worker do what there is, a second after the last time; how many publications."""
    queued = publish_keyrings(product=product(), at=timezone.now())
    for publication in queued:
        last = publication.repository.current
        assert last is not None
        assert last.dated_at is not None
        for package in publications.packages_to_sign(publication):
            sign_package(package_id=package.pk, signer=signer, at=timezone.now())
        later = last.dated_at + dt.timedelta(seconds=1)
        publications.build_publication(publication_id=publication.pk, at=later)
        publications.sign_publication(publication_id=publication.pk, signer=signer)
        assert publications.switch_publication(publication_id=publication.pk, at=timezone.now())
    return len(queued)


def made(name: str) -> list[Package]:
    return list(Package.objects.filter(name=name).order_by("pk").select_related("file__blob"))


def test_every_repository_gets_the_keyring_once(release: Release, signer: LocalSigner) -> None:
    assert publish(signer) == Repository.objects.count() == 4
    assert publish(signer) == 0
    (deb,), (rpm,) = made("exampledb-archive-keyring"), made("exampledb-release")
    year = timezone.now().year
    assert (deb.version, deb.architecture) == (f"{year}.1", "all")
    assert (rpm.version, rpm.architecture) == (f"{year}.1-1.rhel", "noarch")
    assert rpm.signed_at is not None
    assert deb.file.release is None
    assert not release.files.filter(name__contains="keyring").exists()


def test_a_new_key_makes_new_packages_and_its_retirement_too(
    release: Release, signer: LocalSigner
) -> None:
    publish(signer)
    key.add(signer.register, name="newer", user_id="", secret=secret_of("Newer"))
    remember_keys(signer=signer)
    assert publish(signer) == 4
    key.activate(signer.register, name="newer")
    remember_keys(signer=signer)
    assert publish(signer) == 0  # clients need what they have already
    key.retire(signer.register, name="keyring")
    remember_keys(signer=signer)
    assert len(keyring_of(product()).binary) == 2  # the rpms of before are still offered
    assert [found.version for found in made("exampledb-archive-keyring")][-1].endswith(".2")


def test_a_later_end_of_a_key_reaches_clients(release: Release, signer: LocalSigner) -> None:
    publish(signer)
    key.extend(signer.register, name="keyring", expires=2**31)
    remember_keys(signer=signer)
    assert publish(signer) == 4


def test_the_same_keys_give_the_same_bytes(release: Release) -> None:
    keyring = keyring_of(product())
    assert keyrings.keyring_deb(keyring, "1") == keyrings.keyring_deb(keyring, "1")
    sections = [keyrings.Section("exampledb-12.3", "ExampleDB 12.3", "https://x/$basearch")]
    for tool, family in (("dnf", "rhel"), ("dnf", "fedora"), ("zypper", "sles")):
        first, second = (
            keyrings.release_rpm(keyring, "1", family=family, tool=tool, sections=sections)
            for _ in range(2)
        )
        assert first == second
    text = keyrings.repo_text(keyring, "zypper", "sles", sections)
    assert "autorefresh=1" in text
    assert "module_hotfixes" not in text
    assert "repo_gpgcheck=1" in keyrings.repo_text(keyring, "dnf", "rhel", sections)


def test_dpkg_and_rpm_read_what_we_write(
    release: Release, signer: LocalSigner, tmp_path: Path
) -> None:
    publish(signer)
    (deb,), (rpm,) = made("exampledb-archive-keyring"), made("exampledb-release")
    dpkg, rpm_program, rpmkeys = need("dpkg-deb", "rpm", "rpmkeys")
    root = tmp_path / "deb"
    path = store.blob_path(deb.file.blob.sha256)
    subprocess.run([dpkg, "--extract", str(path), str(root)], check=True)
    keyring = keyring_of(product())
    installed = root / "usr/share/keyrings/exampledb-archive-keyring.pgp"
    assert installed.read_bytes() == keyring.as_binary()
    (tmp_path / "key.asc").write_bytes(keyring.as_text())
    package = str(store.blob_path(rpm.file.blob.sha256))
    rooted = ["--root", str(tmp_path / "rpm")]
    subprocess.run([rpmkeys, *rooted, "--import", str(tmp_path / "key.asc")], check=True)
    checked = subprocess.run(
        [rpmkeys, *rooted, "-Kv", package], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
    assert "Signature" in checked.stdout
    subprocess.run([rpm_program, *rooted, "-i", "--nodeps", package], check=True)
    assert (
        tmp_path / "rpm/etc/pki/rpm-gpg/RPM-GPG-KEY-exampledb"
    ).read_bytes() == keyring.as_text()
    repo = (tmp_path / "rpm/etc/yum.repos.d/exampledb.repo").read_text()
    assert "[exampledb-12.3]\n" in repo
    assert "/yum/12.3/rhel/$releasever/$basearch\n" in repo
    verified = subprocess.run(
        [rpm_program, *rooted, "-V", "--nodeps", "exampledb-release"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert verified.returncode == 0, verified.stdout


def test_a_repository_of_another_family_gets_its_own_file(
    dana: User, release: Release, signer: LocalSigner
) -> None:
    draft = factory.make_draft("12.3.1")
    what = {"distributions": ["opensuse-16"]}
    name = "exampledb-server-12.3.1-1.el9.x86_64.rpm"
    factory.accept(actor=dana, release=draft, name=name, data=factory.rpm("12.3.1"), **what)
    factory.publish(actor=dana, release=draft, signer=signer)
    publish(signer)
    assert {found.version.partition("-")[2] for found in made("exampledb-release")} == {
        "1.rhel",
        "1.opensuse",
    }
    for distribution, name in [
        ("rhel-9", "exampledb-12.3"),
        ("opensuse-16", "exampledb-release-12.3"),
    ]:
        group = list(Repository.objects.of_series().filter(distribution=distribution))
        (section,) = sections_of(group)
        assert section.name == name
