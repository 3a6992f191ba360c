"""The demonstration's products, releases and packages, through the actions of every day.

dana uploads, a second release manager publishes what is stable. The worker and the signer then
make the repositories, as they do for everybody: a queued publication waits for them.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field

from portal.accounts import demonstration as people
from portal.accounts.actions.role import grant_role
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from releases import demonstration_advisories, demonstration_mirrors, distributions
from releases.actions.acceptance import accept_upload
from releases.actions.checklist import tick_item
from releases.actions.product import add_product, add_series
from releases.actions.release import draft_release, publish_release
from releases.actions.upload import (
    LARGEST_CHUNK,
    announce_upload,
    append_chunk,
    finish_upload,
)
from releases.demonstration_packages import build_deb, build_rpm
from releases.demonstration_plan import (
    CONNECTOR,
    FIRST,
    SERIES,
    SERVER,
    PlannedRelease,
    PlannedSeries,
)
from releases.models import Product, Release, Series, Upload
from releases.packaging.deb import tar

DRAFT = PlannedRelease("11.8.10", "stable", 0, summary="The next correction of 11.8.")


@dataclass(frozen=True)
class Sent:
    """A file of a release, as a build machine sends it."""

    name: str
    data: bytes
    os: str = ""
    cpu: str = ""
    distributions: list[str] = field(default_factory=list)


def load(*, actor: User, at: dt.datetime) -> None:
    """Both products, every series, and the releases that the first pages show."""
    _products(actor, at)
    for planned in SERIES:
        if planned.name in FIRST:
            load_series(planned, at)
    demonstration_mirrors.load(at=at)
    demonstration_advisories.load(at=at)


def load_more(*, actor: User, at: dt.datetime) -> Iterator[str]:
    """The other series, and a draft."""
    rest = [planned for planned in SERIES if planned.name not in FIRST]
    for number, planned in enumerate(rest, start=1):
        load_series(planned, at)
        yield f"releases: {planned.product} {planned.name}, {number} of {len(rest)}"
    series = Series.objects.select_related("product").get(product__slug=SERVER, name="11.8")
    _draft(series, DRAFT, at)
    yield "releases: a draft"
    demonstration_advisories.load_embargoed(at=at)
    yield "releases: an advisory under embargo"


def _products(actor: User, at: dt.datetime) -> None:
    for name in (people.DANA, people.GRACE):
        for slug in (SERVER, CONNECTOR):
            grant_role(
                actor=actor,
                user=people.person(name),
                role=Role.RELEASE_MANAGER,
                scope_kind=Scope.PRODUCT,
                scope_slug=slug,
                since=at,
            )
    if not Product.objects.filter(slug=SERVER).exists():
        add_product(
            actor=actor,
            slug=SERVER,
            name="ExampleDB",
            description="The database server.",
            license="GPL-2.0-only",
            package="exampledb-server",
            issues_url="https://issues.example.org/exampledb",
            position=1,
        )
    if not Product.objects.filter(slug=CONNECTOR).exists():
        add_product(
            actor=actor,
            slug=CONNECTOR,
            name="ExampleDB Connector/C",
            description="Connects C and C++ programs with the server.",
            license="LGPL-2.1-or-later",
            kind=Product.Kind.CONNECTOR,
            scale="classic",
            package=CONNECTOR,
            issues_url="https://issues.example.org/connector-c",
            position=2,
        )


def load_series(planned: PlannedSeries, at: dt.datetime) -> None:
    product = Product.objects.get(slug=planned.product)
    series = Series.objects.filter(product=product, name=planned.name).first() or add_series(
        actor=people.person(people.DANA),
        product=product,
        name=planned.name,
        support=planned.support,
        released_on=_day(planned.released, at),
        eol_on=_day(planned.ends, at),
    )
    for planned_release in planned.releases:
        release = _draft(series, planned_release, at)
        if release.published_at is None:
            _publish(release, at - dt.timedelta(days=planned_release.days_ago, hours=2))


def _publish(release: Release, at: dt.datetime) -> None:
    """dana ticks the checklist, the second manager publishes."""
    for item in release.checklist.open():
        tick_item(actor=people.person(people.DANA), item=item, at=at - dt.timedelta(hours=1))
    publish_release(actor=people.person(people.GRACE), release=release, at=at)


def _day(days: int | None, at: dt.datetime) -> dt.date | None:
    return None if days is None else (at + dt.timedelta(days=days)).date()


def _draft(series: Series, planned: PlannedRelease, at: dt.datetime) -> Release:
    """The release with all of its files; what was done before stays."""
    dana = people.person(people.DANA)
    release = (
        Release.objects.with_names().filter(series=series, version=planned.version).first()
    ) or draft_release(
        actor=dana,
        series=series,
        version=planned.version,
        maturity=planned.maturity,
        summary=planned.summary,
        notes=planned.notes,
        commit=hashlib.sha1(planned.version.encode(), usedforsecurity=False).hexdigest(),
    )
    if release.published_at is None:
        built = at - dt.timedelta(days=planned.days_ago + 1)
        for sent in _files(series.product.slug, planned, int(built.timestamp())):
            _send(dana, release, sent, built)
    return release


def _send(actor: User, release: Release, sent: Sent, at: dt.datetime) -> None:
    """As the upload client does it, without HTTP between."""
    upload = announce_upload(
        actor=actor,
        release=release,
        name=sent.name,
        size=len(sent.data),
        sha256=hashlib.sha256(sent.data).hexdigest(),
        os=sent.os,
        cpu=sent.cpu,
        distributions=sent.distributions,
        at=at,
    )
    while upload.state == Upload.State.OPEN and upload.offset < upload.size:
        chunk = sent.data[upload.offset : upload.offset + LARGEST_CHUNK]
        upload.offset = append_chunk(upload=upload, offset=upload.offset, data=chunk)
    finish_upload(actor=actor, upload=upload, at=at)
    accept_upload(upload_id=upload.pk)


# --- what a build machine would have made ---------------------------------------------------------


def _files(product: str, planned: PlannedRelease, stamp: int) -> Iterator[Sent]:
    version = planned.version
    text = f"{product} {version}\nA demonstration: there is no server inside.\n"
    readme = {f"{product}-{version}/README": text.encode()}
    yield Sent(f"{product}-{version}.tar.gz", tar(readme, stamp), os="Source")
    for cpu in ("x86_64", "aarch64"):
        binary = {f"{product}-{version}-linux-{cpu}/VERSION": f"{version} {cpu}\n".encode()}
        name = f"{product}-{version}-linux-{cpu}.tar.gz"
        yield Sent(name, tar(binary, stamp), os="Linux", cpu=cpu)
    yield Sent(f"{product}-{version}-winx64.zip", _zip(text), os="Windows", cpu="x86_64")
    for slug in planned.systems:
        system = distributions.DISTRIBUTIONS[slug]
        build = _deb if system.is_deb else _rpm
        for processor in range(2 if slug in planned.also_on_arm else 1):
            yield build(product, system, version, text, processor, stamp)


def _package_name(product: str) -> str:
    return f"{product}-server" if product == SERVER else product


def _mark(system: distributions.Distribution) -> str:
    """How builders mark it in a version: deb, el."""
    return distributions.FAMILIES[system.family].marks[0]


def _deb(
    product: str,
    system: distributions.Distribution,
    version: str,
    text: str,
    processor: int,
    stamp: int,
) -> Sent:
    name, architecture = _package_name(product), ("amd64", "arm64")[processor]
    short = _mark(system) + system.release.replace(".", "")
    full = f"{version.replace('-', '~')}+{short}"
    data = build_deb(
        name=name,
        version=full,
        architecture=architecture,
        summary=f"{product} for {system.name}",
        text=text,
        stamp=stamp,
    )
    return Sent(f"{name}_{full}_{architecture}.deb", data, distributions=[system.slug])


def _rpm(
    product: str,
    system: distributions.Distribution,
    version: str,
    text: str,
    processor: int,
    stamp: int,
) -> Sent:
    name, architecture = _package_name(product), ("x86_64", "aarch64")[processor]
    full, number = version.replace("-", "~"), f"1.{_mark(system)}{system.release}"
    data = build_rpm(
        name=name,
        version=full,
        release=number,
        architecture=architecture,
        summary=f"{product} for {system.name}",
        text=text,
        stamp=stamp,
    )
    file = f"{name}-{full}-{number}.{architecture}.rpm"
    return Sent(file, data, distributions=[system.slug])


def _zip(text: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo("README.txt"), text)
    return buffer.getvalue()
