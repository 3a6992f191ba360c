"""Keyring packages: made anew when keys or series change, entered into every repository."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Sequence
from email.utils import parseaddr
from pathlib import Path

from django.conf import settings
from django.db import transaction

from portal.lib import audit
from releases import keyrings, sandbox, serving, store
from releases.actions.blob import keep_blob
from releases.actions.package import make_package
from releases.actions.repository import enter
from releases.keyrings import Keyring, Section
from releases.models import File, Package, Product, Publication, Repository, SigningKey

Write = Callable[[str], bytes]


@transaction.atomic
def publish_keyrings(*, product: Product, at: dt.datetime) -> list[Publication]:
    """Bring the keyring packages of today's keys into the live repositories of the product; the
    publications to come, none when everything is as it was.
    """
    product = Product.objects.select_for_update().get(pk=product.pk)
    live = list(
        Repository.objects.live()
        .filter(series__product=product)
        .select_related("series__product", "release")
    )
    keyring = keyring_of(product)
    publications = []
    for family in sorted({repository.system.family for repository in live}):
        group = [found for found in live if found.system.family == family]
        package = _package(product, group, keyring, at)
        for repository in group:
            publications += _enter(repository, package)
    return publications


def keyring_of(product: Product) -> Keyring:
    """What a client of any repository of the product has to know."""
    keys = list(SigningKey.objects.of_product(product))
    return Keyring(
        product=product.slug,
        title=product.name,
        maintainer=f"{settings.FOUNDATION_NAME} <{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}>",
        stamp=max((int(key.created_at.timestamp()) for key in keys), default=0),
        armored=[key.armored for key in keys],
        binary=[bytes(key.binary) for key in keys],
    )


def _package(
    product: Product, group: Sequence[Repository], keyring: Keyring, at: dt.datetime
) -> Package:
    """The newest keyring package of the family if it still says what is true, else a new one."""
    system = group[0].system
    if system.is_deb:
        name, suffix = keyrings.deb_name(product.slug), ""
    else:
        name, suffix = keyrings.rpm_name(product.slug), f"-{keyrings.rpm_release(system.family)}"
    made = Package.objects.filter(
        product=product, name=name, file__release=None, version__endswith=suffix
    ).select_related("file")
    write = _writer(group, keyring)
    newest = made.order_by("-pk").first()
    if newest is not None:
        again = write(newest.version.removesuffix(suffix))
        if hashlib.sha256(again).hexdigest() == newest.file.announced_sha256:
            return newest
    version = f"{at.year}.{made.count() + 1}"
    return _keep(product, system.format, write(version))


def _writer(group: Sequence[Repository], keyring: Keyring) -> Write:
    system = group[0].system
    if system.is_deb:
        return lambda version: keyrings.keyring_deb(keyring, version)
    sections = sections_of(group)
    return lambda version: keyrings.release_rpm(
        keyring, version, family=system.family, tool=system.tool, sections=sections
    )


def sections_of(group: Iterable[Repository]) -> list[Section]:
    """One for each series that the family has; clients fill in their release and processor.

    Who follows an exact version gets the keys there and keeps the configuration that says so.
    """
    found = {}
    for repository in group:
        if repository.release_id is not None:
            continue
        series, system = repository.series, repository.system
        tail = f"{system.release}/{repository.architecture}"
        base = serving.root(repository).removesuffix(tail)
        number = "$releasever_major" if system.tool == "zypper" else "$releasever"
        found[base] = Section(
            name=_section_name(repository),
            title=str(series),
            address=f"{settings.BASE_URL}/yum/{base}{number}/$basearch",
        )
    return [found[base] for base in sorted(found)]


def _section_name(repository: Repository) -> str:
    """As the generator calls it, in the same file. zypper puts what it adds into another file, and
    a second repository of that name, not enabled, would hide it.
    """
    product, system = repository.series.product.slug, repository.system
    whose = keyrings.rpm_name(product) if system.tool == "zypper" else product
    return f"{whose}-{repository.series.name}"


def _keep(product: Product, kind: str, data: bytes) -> Package:
    with store.scratch() as scratch:
        scratch.write(data)
        scratch.flush()
        path = Path(scratch.name)
        inspected = sandbox.inspect(kind, path)
        found = store.digest(path)
        store.keep(path, found)
    name = f"{inspected['name']}_{inspected['version']}_{inspected['architecture']}.{kind}"
    file = File.objects.create(name=name, blob=keep_blob(found), announced_sha256=found.sha256)
    package = make_package(file=file, product=product, kind=kind, inspected=inspected)
    audit.record(actor=None, verb="keyring.make", subject=package, sha256=found.sha256)
    return package


def _enter(repository: Repository, package: Package) -> list[Publication]:
    if repository.memberships.filter(package=package, until_serial=None).exists():
        return []
    return [enter(repository=repository, packages=[package])]
