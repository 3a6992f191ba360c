"""Reading repositories back as clients do: which ones, what came of it, who is told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q

from portal.lib import audit
from releases import keyrings, serving
from releases.actions import alarm
from releases.models import Alarm, Reading, Repository
from releases.models.reading import failing
from releases.reading import Place, UnsoundError
from releases.reading.walk import Read

AT_ONCE: Final = 6
AGAIN: Final = 3  # of them, at most, those in which something was wrong the last time
TOLD_AFTER: Final = 2  # readings in a row: one may have met a moment of ours, or of the network
KEPT: Final = dt.timedelta(days=14)


# What clients read now is the first publication or a full one, and nobody has read it back.
NEWLY_WHOLE: Final = (Q(current__full=True) | Q(current__generation=1)) & ~Exists(
    Reading.objects.filter(repository=OuterRef("pk"), serial=OuterRef("current__serial"))
)


@dataclass(frozen=True)
class Unreadable:
    """A repository that clients cannot use, since when, and what they would meet."""

    repository: Repository
    since: dt.datetime
    reason: str


def due() -> list[Repository]:
    """A sample of what clients read now: what was not sound the last time, then what was written as
    a whole and not read since, then what waited longest.
    """
    live = Repository.objects.live().with_names().annotate(last=Max("readings__read_at"))
    failed = Reading.objects.last_of_each().unsound().values("repository")
    again = live.filter(pk__in=failed).order_by("last", "pk")[:AGAIN]
    found = {repository.pk: repository for repository in again}
    others = live.exclude(pk__in=found).alias(is_read=~NEWLY_WHOLE)
    longest = others.order_by("is_read", F("last").asc(nulls_first=True), "pk")
    return [*found.values(), *longest[: AT_ONCE - len(found)]]


def for_programs(found: Sequence[Repository]) -> set[int]:
    """Which of these the package managers read too: what was written as a whole and not read since,
    and one of each kind beside it.
    """
    keys = [repository.pk for repository in found]
    whole = set(Repository.objects.filter(NEWLY_WHOLE, pk__in=keys).values_list("pk", flat=True))
    others = [repository for repository in reversed(found) if repository.pk not in whole]
    return whole | set({repository.system.is_deb: repository.pk for repository in others}.values())


def place_of(repository: Repository) -> Place:
    """What a client of it has in its configuration, and what it must find."""
    current = repository.current
    if current is None or current.dated_at is None:
        raise ValueError(f"{repository} is not published")
    part, root = serving.part_of(repository).value, serving.root(repository)
    keyring = keyrings.deb_name(repository.series.product.slug)
    return Place(
        address=f"{settings.BASE_URL}/{part}/{root}",
        keyring=f"{settings.BASE_URL}/keys/{keyring}.pgp",
        codename=repository.codename,
        serial=current.serial,
        dated_at=current.dated_at,
    )


@transaction.atomic
def record_reading(
    *, repository: Repository, outcome: Read | UnsoundError, at: dt.datetime
) -> Reading | None:
    """Keep what came of it; `repository` is as it was when the reading began. What failed while
    another publication was switched to says nothing.
    """
    current = repository.current
    moved = not Repository.objects.filter(pk=repository.pk, current=current).exists()
    if current is None or (moved and isinstance(outcome, UnsoundError)):
        return None
    repository.readings.filter(read_at__lt=at - KEPT).delete()
    told = (
        {"reason": str(outcome)[:500]}
        if isinstance(outcome, UnsoundError)
        else {
            "package": outcome.package,
            "came_from": outcome.came_from,
            "program": outcome.program,
        }
    )
    return Reading.objects.create(repository=repository, serial=current.serial, read_at=at, **told)


def unreadable() -> list[Unreadable]:
    """Repositories that failed their last readings, more than once in a row."""
    failed = failing(Repository.objects.live().with_names())
    found = []
    for repository in failed:
        streak = list(repository.readings.streak())
        if len(streak) >= TOLD_AFTER:
            found.append(Unreadable(repository, streak[0].read_at, streak[-1].reason))
    return found


@transaction.atomic
def warn_of_unreadable(*, at: dt.datetime) -> list[Unreadable]:
    """Tell the release managers of the product, once for each time that it begins."""
    told = []
    for one in unreadable():
        if not alarm.is_new(
            kind=Alarm.Kind.READING, repository=one.repository, moment=one.since, at=at
        ):
            continue
        _tell(one, at)
        audit.record(
            actor=None, verb="repository.unreadable", subject=one.repository, reason=one.reason
        )
        told.append(one)
    return told


def _tell(one: Unreadable, at: dt.datetime) -> None:
    alarm.tell(
        alarm.managers_of(one.repository, at),
        template="repository_unreadable",
        mark=f"{one.repository.pk}:{one.since}",
        repository=one.repository,
        since=one.since,
        reason=one.reason,
    )
