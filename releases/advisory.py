"""What pages and documents ask of advisories: their facts, and which concern a release."""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from django.conf import settings
from django.db.models import Prefetch
from django.utils import timezone

from releases import version as versions
from releases.advisories import csaf
from releases.advisories import facts as plain
from releases.advisories.severity import UPDATEINFO
from releases.models import Advisory, AffectedRange, Package, Release, Repository, Series
from releases.repository import updateinfo


def publisher() -> plain.Publisher:
    """The foundation, as the documents name it."""
    return plain.Publisher(settings.FOUNDATION_NAME, settings.BASE_URL, settings.SECURITY_CONTACT)


def csaf_bytes(facts: plain.Facts) -> bytes:
    """The document as it is served and signed."""
    document = csaf.document(facts, publisher())
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def covers(found: AffectedRange, release: Release) -> bool:
    """Whether a release of the series of the range has the fault."""
    first = versions.parse(found.introduced).fields if found.introduced else []
    has_fix = found.fixed is not None and release.ordering >= found.fixed.ordering
    return first <= list(release.ordering) and not has_fix


def concerning(release: Release, *, at: dt.datetime) -> tuple[list[Advisory], list[Advisory]]:
    """The advisories in force that affect a release, and those that it fixes."""
    spans = AffectedRange.objects.touching(release).select_related("fixed")
    found = Advisory.objects.in_force(at).filter(pk__in=spans.values("advisory"))
    affecting, fixed = [], []
    for advisory in found.order_by("-score", "-published_at").prefetch_related(
        Prefetch("ranges", spans)
    ):
        for span in advisory.ranges.all():
            if covers(span, release):
                affecting.append(advisory)
            elif span.fixed_id == release.pk:
                fixed.append(advisory)
    return affecting, fixed


def facts_of(advisories: Sequence[Advisory], *, at: dt.datetime) -> list[plain.Facts]:
    """The facts of advisories that were fetched `with_ranges`; nothing unpublished is in them."""
    series = {span.series_id for advisory in advisories for span in advisory.ranges.all()}
    releases: dict[int, list[Release]] = defaultdict(list)
    published = Release.objects.published(at).filter(series__in=series)
    for release in published.order_by("ordering"):
        releases[release.series_id].append(release)
    return [_facts(advisory, releases, at) for advisory in advisories]


def _facts(advisory: Advisory, releases: dict[int, list[Release]], at: dt.datetime) -> plain.Facts:
    return plain.Facts(
        identifier=advisory.identifier,
        product=advisory.product.slug,
        product_name=advisory.product.name,
        cve_ids=advisory.cve_ids,
        summary=advisory.summary,
        details=advisory.details,
        vector=advisory.vector,
        score=advisory.score,
        severity=advisory.severity,
        published=advisory.published_at or at,
        modified=advisory.modified_at,
        withdrawn=advisory.withdrawn_at,
        withdrawal=advisory.withdrawal,
        references=advisory.references,
        credits=advisory.credits,
        ranges=[_range(span, releases[span.series_id], at) for span in advisory.ranges.all()],
        revisions=[
            plain.Revision(found.number, found.at, found.summary)
            for found in advisory.revisions.all()
        ],
        address=f"{settings.BASE_URL}{advisory.get_absolute_url()}",
    )


def ranges_of(
    series: Series, advisories: Collection[int], *, at: dt.datetime
) -> dict[int, plain.Range]:
    """What these advisories say of a series, by their numbers."""
    spans = AffectedRange.objects.filter(series=series, advisory__in=advisories)
    found = list(spans.select_related("series", "fixed"))
    releases = list(series.releases.published(at).order_by("ordering")) if found else []
    return {span.advisory_id: _range(span, releases, at) for span in found}


def _range(span: AffectedRange, releases: Sequence[Release], at: dt.datetime) -> plain.Range:
    """`releases` are those of the series that are published, in their order."""
    affected = [release.version for release in releases if covers(span, release)]
    fixed = next((release for release in releases if release.pk == span.fixed_id), None)
    name, introduced = span.series.name, span.introduced
    if fixed is None:
        return plain.Range(name, introduced, "", affected)
    install = _to_install(fixed, releases, at)
    return plain.Range(name, introduced, fixed.version, affected, install)


def _to_install(fixed: Release, releases: Sequence[Release], at: dt.datetime) -> str:
    """The release with the fix, or the next one as mature that was not withdrawn."""
    later = (found for found in releases if found.ordering >= fixed.ordering)
    fit = (found for found in later if found.is_stable or not fixed.is_stable)
    return next((found.version for found in fit if not found.is_yanked(at)), "")


def updateinfo_of(repository: Repository) -> bytes:
    """updateinfo.xml of a YUM repository, with what is public now; nothing without an advisory."""
    if repository.release_id is not None:
        return b""
    notices = notices_for(repository, at=timezone.now())
    if not notices:
        return b""
    text = updateinfo.write(
        notices, sender=settings.DEFAULT_FROM_EMAIL, collection=str(repository.series)
    )
    return text.encode()


def notices_for(repository: Repository, *, at: dt.datetime) -> list[updateinfo.Notice]:
    """Each advisory in force with the packages here that have the fix, oldest first."""
    here = AffectedRange.objects.filter(series=repository.series_id, fixed__isnull=False)
    if not here.exists():
        return []
    advisories = list(
        Advisory.objects.in_force(at)
        .filter(ranges__in=here)
        .order_by("published_at", "pk")
        .prefetch_related(Prefetch("ranges", here), "revisions")
    )
    fixed = {span.fixed_id for advisory in advisories for span in advisory.ranges.all()}
    packages = _packages_of(repository, fixed)
    return [
        _notice(advisory, packages[span.fixed_id])
        for advisory in advisories
        for span in advisory.ranges.all()
        if span.fixed_id in packages
    ]


def _packages_of(
    repository: Repository, releases: Collection[int | None]
) -> dict[int | None, list[Package]]:
    """What the next publication of the repository shows of these releases."""
    members = repository.memberships.filter(until_serial__isnull=True)
    found = Package.objects.filter(memberships__in=members, file__release__in=releases)
    by_release: dict[int | None, list[Package]] = defaultdict(list)
    for package in found.select_related("file__blob").order_by("name", "architecture"):
        by_release[package.file.release_id].append(package)
    return dict(by_release)


def _notice(advisory: Advisory, packages: Iterable[Package]) -> updateinfo.Notice:
    return updateinfo.Notice(
        identifier=advisory.identifier,
        title=advisory.summary,
        severity=UPDATEINFO[advisory.severity],
        issued=advisory.published_at or advisory.modified_at,
        updated=advisory.modified_at,
        description=advisory.details,
        address=f"{settings.BASE_URL}{advisory.get_absolute_url()}",
        cve_ids=advisory.cve_ids,
        version=max((found.number for found in advisory.revisions.all()), default=1),
        fixes=[
            updateinfo.Fix.of(
                found.name, found.version, found.architecture, found.path, found.file.blob.sha256
            )
            for found in packages
        ],
    )
