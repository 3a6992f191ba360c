"""How long the indices of a repository are good for: setting it, renewing, warning in time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from releases import validity
from releases.actions import alarm
from releases.actions.repository import queue_publication
from releases.errors import RefusedError
from releases.models import Alarm, Publication, Repository

SHORTEST, LONGEST = 2, 365


@dataclass(frozen=True)
class Ending:
    """A repository whose index ends soon, or has ended, and was not renewed."""

    repository: Repository
    until: dt.datetime
    percent: int
    is_over: bool


@transaction.atomic
def set_validity(*, actor: User, repository: Repository, days: int) -> Publication | None:
    """Let indices end after so many days; 0: never. The next publication says so, None if there is
    none to come.
    """
    if not repository.system.is_deb:
        raise RefusedError(_("Metadata of YUM cannot say until when it is valid."))
    if days and not SHORTEST <= days <= LONGEST:
        raise RefusedError(_("An index is valid for 2 to 365 days, or without an end: 0."))
    locked = Repository.objects.select_for_update(no_key=True, of=["self"]).get(pk=repository.pk)
    if (locked.valid_days or 0) == days:
        return None
    before, locked.valid_days = locked.valid_days, days or None
    locked.save(update_fields=["valid_days"])
    audit.record(
        actor=actor,
        verb="repository.set_validity",
        subject=locked,
        before=before or 0,
        days=days,
    )
    if locked.current_id is None:
        return None
    return queue_publication(repository=locked, cause=Publication.Cause.RENEWAL)


@transaction.atomic
def renew_indices(*, at: dt.datetime) -> list[Publication]:
    """New publications, with the same packages, of repositories whose index is half through its
    time or says something else than the repository does. One that is under way is enough.
    """
    found = Repository.objects.live().with_an_index_that_may_end().select_related("current")
    found = found.filter(Q(valid_days__isnull=False) | Q(current__valid_until__isnull=False))
    busy = Publication.objects.unfinished().order_by().values("repository")
    return [
        queue_publication(repository=repository, cause=Publication.Cause.RENEWAL)
        for repository in found.exclude(pk__in=busy)
        if _is_due(repository, at)
    ]


def _is_due(repository: Repository, at: dt.datetime) -> bool:
    current = repository.current
    if current is None or current.dated_at is None:
        return False
    if repository.valid_days is None or current.valid_until is None:
        return True  # only one of them knows an end
    return validity.is_due(current.dated_at, current.valid_until, at=at)


def valid_indices() -> list[tuple[str, dt.datetime]]:
    """Until when what clients read is valid, by the name of the repository."""
    return [(repository.name, until) for repository, _dated, until in _with_an_end()]


def ending(*, at: dt.datetime) -> list[Ending]:
    """What should have been renewed by now."""
    return [
        Ending(repository, until, step, until <= at)
        for repository, dated, until in _with_an_end()
        if (step := validity.warning_step(dated, until, at=at)) is not None
    ]


def _with_an_end() -> Iterator[tuple[Repository, dt.datetime, dt.datetime]]:
    """Repositories with the date of their index and its end."""
    found = Repository.objects.live().filter(current__valid_until__isnull=False)
    for repository in found.select_related("series__product", "release", "current"):
        current = repository.current
        if current and current.dated_at and current.valid_until:
            yield repository, current.dated_at, current.valid_until


@transaction.atomic
def warn_of_endings(*, at: dt.datetime) -> list[Ending]:
    """Tell the release managers of the product, once at each step."""
    told = []
    for one in ending(at=at):
        if alarm.is_new(
            kind=Alarm.Kind.RENEWAL,
            repository=one.repository,
            moment=one.until,
            step=one.percent,
            at=at,
        ):
            _tell(one, at)
            audit.record(
                actor=None, verb="repository.warn", subject=one.repository, percent=one.percent
            )
            told.append(one)
    return told


def _tell(one: Ending, at: dt.datetime) -> None:
    newest = one.repository.publications.order_by("-serial").first()
    alarm.tell(
        alarm.managers_of(one.repository, at),
        template="index_ends",
        mark=f"{one.repository.pk}:{one.until}:{one.percent}",
        repository=one.repository.name,
        until=one.until,
        is_over=one.is_over,
        reason=newest.reason if newest else "",
    )
