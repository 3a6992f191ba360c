"""Going back to what a repository held before, and publishing again what it holds."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from releases.actions.repository import enter, queue_publication
from releases.errors import RefusedError
from releases.models import Membership, Package, Publication, Release, Repository
from releases.readiness import second_person_reason

GONE_BACK_TO = (Publication.State.CURRENT, Publication.State.PAST)


@transaction.atomic
def roll_back(
    *, actor: User, publication: Publication, reason: str, at: dt.datetime | None = None
) -> Publication:
    """A new publication with the packages of an older one.

    It has a newer date and serial: clients take nothing older than what they have. What waits to
    enter with the next publication does not enter. Packages of withdrawn releases stay out, and
    whoever may not publish a release alone may not bring it back alone.
    """
    words = _words(reason)
    repository = _locked(publication.repository)
    publication.refresh_from_db(fields=["state"])
    if publication.state not in GONE_BACK_TO:
        raise RefusedError(_("Clients have never seen this publication."))
    queued = queue_publication(repository=repository, cause=Publication.Cause.ROLL_BACK)
    queued.cause, queued.content_of = Publication.Cause.ROLL_BACK, publication.serial
    queued.save(update_fields=["cause", "content_of"])
    members = Membership.objects.filter(repository=repository)
    then = set(members.in_publication(publication.serial).values_list("package_id", flat=True))
    now = set(members.filter(until_serial=None).values_list("package_id", flat=True))
    then -= withdrawn(repository=repository, packages=then - now)
    refuse_return(actor=actor, packages=then - now, at=at or timezone.now())
    end_memberships(publication=queued, packages=now - then)
    Membership.objects.bulk_create(
        Membership(repository=repository, package_id=package, since_serial=queued.serial)
        for package in sorted(then - now)
    )
    audit.record(
        actor=actor,
        verb="repository.roll_back",
        subject=repository,
        to=publication.serial,
        serial=queued.serial,
        out=len(now - then),
        back=len(then - now),
        reason=words,
    )
    return queued


def withdrawn(*, repository: Repository, packages: set[int]) -> set[int]:
    """Those of withdrawn releases: only the repositories of their exact versions hold them."""
    if repository.release_id is not None:
        return set()
    found = Package.objects.filter(pk__in=packages, file__release__yanked_at__isnull=False)
    return set(found.values_list("pk", flat=True))


def refuse_return(*, actor: User, packages: set[int], at: dt.datetime) -> None:
    """The rule of the second person holds for what comes back as for what is published."""
    returning = Release.objects.filter(files__package__in=packages).with_names().distinct()
    for release in returning:
        if reason := second_person_reason(actor=actor, release=release, at=at):
            raise RefusedError(f"{release}: {reason}")


@transaction.atomic
def take_out(*, actor: User, repository: Repository, package: Package, reason: str) -> Publication:
    """Show a package here no more. A client in the middle of a download still gets it."""
    words = _words(reason)
    repository = _locked(repository)
    held = repository.memberships.filter(package=package, until_serial=None)
    if not held.exists():
        raise RefusedError(_("This repository does not hold that package."))
    queued = queue_publication(repository=repository, cause=Publication.Cause.WITHDRAWAL)
    end_memberships(publication=queued, packages={package.pk})
    audit.record(
        actor=actor,
        verb="repository.take_out",
        subject=repository,
        package=str(package),
        reason=words,
        serial=queued.serial,
    )
    return queued


@transaction.atomic
def put_back(
    *,
    actor: User,
    repository: Repository,
    package: Package,
    reason: str,
    at: dt.datetime | None = None,
) -> Publication:
    """Show a package again that was taken out, or that a roll back left behind."""
    words = _words(reason)
    repository = _locked(repository)
    members = repository.memberships.filter(package=package)
    if not members.exists():
        raise RefusedError(_("This repository never held that package: publish its release."))
    if members.filter(until_serial=None).exists():
        raise RefusedError(_("This repository holds that package already."))
    release = package.file.release
    if repository.release_id is None and release is not None and release.yanked_at is not None:
        raise RefusedError(
            _("%(release)s is withdrawn: offer it again on its own page.") % {"release": release}
        )
    refuse_return(actor=actor, packages={package.pk}, at=at or timezone.now())
    queued = queue_publication(repository=repository, cause=Publication.Cause.AGAIN)
    enter(repository=repository, packages=[package])
    audit.record(
        actor=actor,
        verb="repository.put_back",
        subject=repository,
        package=str(package),
        reason=words,
        serial=queued.serial,
    )
    return queued


def _locked(repository: Repository) -> Repository:
    """Nobody else changes what it holds until this transaction ends."""
    found = Repository.objects.select_for_update(no_key=True, of=["self"])
    return found.select_related("series__product", "release").get(pk=repository.pk)


def _words(reason: str) -> str:
    words = " ".join(reason.split())
    if not words:
        raise RefusedError(_("Say why, for those who look for it later."))
    return words[:500]


def end_memberships(*, publication: Publication, packages: set[int]) -> None:
    """These packages are in no publication from this one on. What nobody has seen is forgotten."""
    members = Membership.objects.filter(
        repository=publication.repository_id, package__in=packages, until_serial=None
    )
    members.filter(since_serial=publication.serial).delete()
    members.update(until_serial=publication.serial)


@transaction.atomic
def publish_again(*, actor: User, repository: Repository) -> Publication:
    """Publish what the repository holds once more, from the database alone."""
    queued = queue_publication(repository=repository, full=True, cause=Publication.Cause.AGAIN)
    audit.record(
        actor=actor, verb="repository.publish_again", subject=repository, serial=queued.serial
    )
    return queued


@transaction.atomic
def try_again(*, actor: User, publication: Publication) -> Publication:
    """Ask anew for what a failed publication was to show; nothing of it is copied."""
    repository = _locked(publication.repository)
    publication.refresh_from_db(fields=["state"])
    if publication.state != Publication.State.FAILED:
        raise RefusedError(_("This publication did not fail."))
    if publication.serial != repository.serial:
        raise RefusedError(_("A newer publication follows this one already."))
    queued = queue_publication(repository=repository, full=True, cause=Publication.Cause.AGAIN)
    audit.record(
        actor=actor,
        verb="repository.try_again",
        subject=repository,
        failed=publication.serial,
        serial=queued.serial,
    )
    return queued
