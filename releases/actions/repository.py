"""Entering the packages of a release into repositories, and asking for publications."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Final

from django.conf import settings
from django.db import transaction

from releases.distributions import (
    DEFAULT_ARCHITECTURES,
    DISTRIBUTIONS,
    EVERY_PROCESSOR,
    Distribution,
)
from releases.models import Membership, Package, Publication, Release, Repository

PAUSE: Final = dt.timedelta(minutes=5)  # before a failed publication is asked for again
MOST_FAILURES: Final = 12


def enter_packages(*, release: Release) -> list[Publication]:
    """Put every package of the release into its repositories; the publications to come.

    Called within the transaction of the action that publishes.
    """
    packages = list(Package.objects.filter(file__release=release).select_related("file"))
    slugs = sorted({slug for package in packages for slug in package.file.distributions})
    publications = []
    for slug in slugs:
        system = DISTRIBUTIONS[slug]
        chosen = [package for package in packages if slug in package.file.distributions]
        for exactly in [None, release] if _has_own_place(release) else [None]:
            for architecture in _architectures_of(release, exactly, system, chosen):
                repository = _repository(release, exactly, system, architecture)
                fitting = [
                    package
                    for package in chosen
                    if not architecture or package.architecture in {architecture, "noarch"}
                ]
                publications.append(enter(repository=repository, packages=fitting))
    return publications


def _has_own_place(release: Release) -> bool:
    """Whether /repo/<version>/ is free: a series of that name has it, should there be one."""
    return not release.series.product.series.filter(name=release.version).exists()


def leave_repositories(*, release: Release) -> list[Publication]:
    """Take every package of the release out of the repositories of its series.

    The files stay in the pool of each, and in a repository of exactly this version.
    """
    packages = Package.objects.filter(file__release=release)
    open_ones = Membership.objects.filter(package__in=packages, until_serial=None)
    publications = []
    for repository in Repository.objects.of_series().filter(memberships__in=open_ones).distinct():
        publication = queue_publication(repository=repository)
        members = open_ones.filter(repository=repository)
        members.filter(since_serial=publication.serial).delete()  # nobody has seen these
        members.update(until_serial=publication.serial)
        publications.append(publication)
    return publications


def clear_for_stable(*, release: Release, at: dt.datetime) -> list[Publication]:
    """With the first stable release of a series, take what came before out of its repositories.

    One person was enough to publish that; from now on people trust what is there. Called within the
    transaction of the action that publishes, before it says so in the row.
    """
    earlier = Release.objects.published(at).filter(series=release.series)
    if not release.is_stable or earlier.stable().exists():
        return []
    return [found for early in earlier for found in leave_repositories(release=early)]


def is_left_behind(release: Release, *, at: dt.datetime) -> bool:
    """Whether it came before the first stable release of its series, which cleared it away."""
    stable = Release.objects.published(at).stable().filter(series=release.series)
    return not release.is_stable and stable.filter(published_at__gt=release.published_at).exists()


def queue_publication(
    *,
    repository: Repository,
    full: bool = False,
    cause: str = Publication.Cause.RELEASE,
) -> Publication:
    """The publication that will show what the repository holds now; one waits at most.

    A full one is written from the database alone.
    """
    locked = Repository.objects.select_for_update(no_key=True).get(pk=repository.pk)
    # A builder has its row locked: what is entered now would come too late for that one.
    queued = Publication.objects.select_for_update().filter(state=Publication.State.QUEUED)
    waiting = queued.filter(repository=locked).order_by("serial").first()
    if waiting is not None:
        if full and not waiting.full:
            waiting.full = True
            waiting.save(update_fields=["full"])
        return waiting
    locked.serial += 1
    locked.save(update_fields=["serial"])
    return Publication.objects.create(
        repository=locked, serial=locked.serial, full=full, cause=cause
    )


@transaction.atomic
def queue_failed_again(*, at: dt.datetime) -> list[Publication]:
    """New publications of repositories whose last one failed a while ago: a clock that went wrong
    or a file that was put back is no reason to stay behind for ever. After MOST_FAILURES in a row
    the next release, or a person, has to do something.
    """
    failed = Publication.objects.failed_last(at - PAUSE).select_related("repository__current")
    found = []
    for publication in failed:
        repository = publication.repository
        shown = repository.current.serial if repository.current else 0
        if repository.publications.filter(serial__gt=shown).count() < MOST_FAILURES:
            found.append(queue_publication(repository=repository, full=True))
    return found


def _architectures_of(
    release: Release, exactly: Release | None, system: Distribution, packages: Iterable[Package]
) -> list[str]:
    """The architectures that have a repository of their own: for APT one for all, named ""."""
    if system.is_deb:
        return [""]
    found = {package.architecture for package in packages} - EVERY_PROCESSOR
    found |= set(
        release.series.repositories.filter(release=exactly, distribution=system.slug).values_list(
            "architecture", flat=True
        )
    )
    return sorted(found or DEFAULT_ARCHITECTURES["rpm"])


def _repository(
    release: Release, exactly: Release | None, system: Distribution, architecture: str
) -> Repository:
    """The repository, made on first use; its Origin, Label and Codename are set once for all.

    They name the product, not the series: an alias that goes to another series must not change
    them, as apt would ask every machine.
    """
    series = release.series
    repository, _ = Repository.objects.get_or_create(
        series=series,
        release=exactly,
        distribution=system.slug,
        architecture=architecture,
        defaults={
            "origin": settings.FOUNDATION_NAME,
            "label": series.product.name,  # not the series: an alias leads to another one later
            "codename": system.codename,
        },
    )
    return repository


def enter(*, repository: Repository, packages: Iterable[Package]) -> Publication:
    """Put packages into the repository, from the publication that is answered on.

    Called within the transaction of the action that wants it.
    """
    publication = queue_publication(repository=repository)
    held = set(
        Membership.objects.filter(repository=repository, until_serial=None).values_list(
            "package_id", flat=True
        )
    )
    Membership.objects.bulk_create(
        Membership(repository=repository, package=package, since_serial=publication.serial)
        for package in packages
        if package.pk not in held
    )
    return publication
