"""Probes of mirrors: taken by one worker at a time, judged, noted, told to the operator."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from email.utils import parsedate_to_datetime
from typing import Final

from django.db import transaction
from django.db.models import Count, F, Min

from portal.lib import outbox
from releases.mirrors import targets
from releases.mirrors.manifest import Contents
from releases.mirrors.probe import Finding, Target
from releases.models import Mirror, Part, Publication, Repository, Sighting

EVERY: Final = dt.timedelta(minutes=5)
LEASE: Final = dt.timedelta(minutes=5)  # longer than a probe may take
LONGEST_PAUSE: Final = dt.timedelta(hours=6)  # between looks at a broken mirror
GRACE: Final = dt.timedelta(hours=6)  # how long a mirror may take to fetch what is new
LETTER_AFTER: Final = 3  # failed probes in a row
KEPT: Final = dt.timedelta(days=7)
UNTIL: Final = re.compile(rb"^# until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)Z\n", re.M)
Health = Mirror.Health


class FaultError(Exception):
    """A mirror answers, but not as it should: the reason for its operator."""


@transaction.atomic
def claim_probes(*, at: dt.datetime) -> list[Target]:
    """The mirrors whose probe is due, for us alone until the lease is over."""
    due = list(Mirror.objects.due(at).select_for_update(skip_locked=True))
    Mirror.objects.filter(pk__in=[mirror.pk for mirror in due]).update(next_probe_at=at + LEASE)
    return [targets.target_of(mirror, at) for mirror in due]


@transaction.atomic
def record_probe(*, target: Target, finding: Finding, at: dt.datetime) -> Mirror | None:
    """Judge what was found. A mirror that was paused or moved meanwhile is left alone."""
    mirror = Mirror.objects.active().select_for_update().filter(pk=target.number).first()
    if mirror is None or mirror.base_url != target.base_url:
        return None
    before, reason = mirror.health, finding.reason
    try:
        _note_sightings(mirror, finding, at)
        _note_files(mirror, finding, at)
        _check_samples(target, finding, mirror.files_until)
    except FaultError as error:
        reason = str(error)
    _measure_lag(mirror, at)
    _judge(mirror, reason, at, is_empty=not finding.bodies)
    if mirror.health != before:
        mirror.health_since = at
    mirror.probed_at = at
    mirror.next_probe_at = at + _pause(mirror)
    _tell_operator(mirror, at)
    mirror.save()
    mirror.probes.create(at=at, health=mirror.health, reason=mirror.reason, behind=mirror.behind)
    mirror.probes.filter(at__lt=at - KEPT).delete()
    return mirror


def _note_sightings(mirror: Mirror, finding: Finding, at: dt.datetime) -> None:
    indices = {targets.index_path(found): found for found in targets.carried_repositories(mirror)}
    looked_at = [path for path in indices if path in finding.bodies]
    if looked_at and all(finding.bodies[path] is None for path in looked_at):
        raise FaultError("it has none of our repositories")
    for path in looked_at:
        serial = _serial(indices[path], finding.bodies[path])
        Sighting.objects.update_or_create(
            mirror=mirror,
            repository=indices[path],
            defaults={"serial": serial, "seen_at": at},
        )


def _note_files(mirror: Mirror, finding: Finding, at: dt.datetime) -> None:
    """How far its files are, as its manifest says; the samples prove that."""
    if targets.MANIFEST.path not in finding.bodies:
        return
    mirror.files_until = None
    until = _until(finding.bodies[targets.MANIFEST.path] or b"")
    newest = Contents(at).newest_ever()
    if until is None:
        if newest is not None and mirror.parts == [Part.FILES]:
            raise FaultError("it has no manifest.txt that says how far its files are")
        return
    if newest is None or until > newest:
        raise FaultError("its manifest.txt is of a later time than anything published here")
    mirror.files_until = until


def _until(manifest: bytes) -> dt.datetime | None:
    """The newest change that a mirror has fetched, by the manifest that it wrote last."""
    found = UNTIL.search(manifest)
    try:
        return (
            dt.datetime.fromisoformat(found[1].decode()).replace(tzinfo=dt.UTC) if found else None
        )
    except ValueError:
        return None


def _serial(repository: Repository, index: bytes | None) -> int:
    """The publication that an index belongs to; 0 for none, or one we have forgotten."""
    if index is None:
        return 0
    known = targets.serials_of(repository, hashlib.sha256(index).hexdigest())
    if known:
        return known[0]
    remembered = repository.publications.filter(dated_at__isnull=False, files__isnull=False)
    oldest = remembered.aggregate(at=Min("dated_at"))
    dated = _date_of(index)
    if dated is None or oldest["at"] is None or dated >= oldest["at"]:
        raise FaultError(f"{targets.index_path(repository)} is none that we published")
    return 0


def _date_of(index: bytes) -> dt.datetime | None:
    """The date in an InRelease or a repomd.xml."""
    found = re.search(rb"^Date: (.{10,40})$", index, re.M)
    revision = re.search(rb"<revision>(\d{1,12})</revision>", index)
    try:
        if found is not None:
            return parsedate_to_datetime(found[1].decode("ascii"))
        return dt.datetime.fromtimestamp(int(revision[1]), dt.UTC) if revision else None
    except (ValueError, OverflowError):
        return None


def _check_samples(target: Target, finding: Finding, until: dt.datetime | None) -> None:
    """What an index or the manifest of the mirror lists is there, with the bytes it has here."""
    for sample in target.samples:
        path = sample.wanted.path
        if path not in finding.bodies:
            continue
        body = finding.bodies[path]
        if body is not None and hashlib.sha256(body).hexdigest() != sample.sha256:
            raise FaultError(f"{path} has other bytes than here")
        if body is None and sample.since is None:
            raise FaultError(f"{path} is missing although its index lists it")
        if body is None and until and sample.since and sample.since <= until:
            raise FaultError(f"{path} is missing although its manifest.txt lists it")


def _measure_lag(mirror: Mirror, at: dt.datetime) -> None:
    """From all that was ever seen of the mirror, this time included."""
    missed = Publication.objects.filter(
        repository__current__isnull=False,
        repository__sightings__mirror=mirror,
        serial__gt=F("repository__sightings__serial"),
        switched_at__lte=at,
    )
    lags = missed.values("repository").annotate(number=Count("pk"), since=Min("switched_at"))
    mirror.behind = max((lag["number"] for lag in lags), default=0)
    mirror.behind_since = min((lag["since"] for lag in lags), default=None)


def _judge(mirror: Mirror, reason: str, at: dt.datetime, *, is_empty: bool) -> None:
    """What a fault or the lag makes of it; nothing is said where there was nothing to look at."""
    mirror.reason = reason[:300]
    if reason:
        mirror.health = Health.BROKEN
    elif mirror.behind_since is not None and at - mirror.behind_since > GRACE:
        mirror.health = Health.LAGGING
        mirror.reason = "it has not fetched what was published here"
    else:
        mirror.health = Health.UNKNOWN if is_empty else Health.HEALTHY
    is_fault = mirror.health in {Health.BROKEN, Health.LAGGING}
    mirror.failures = mirror.failures + 1 if is_fault else 0


def _pause(mirror: Mirror) -> dt.timedelta:
    """Twice as long after each failure of a broken one; a lagging one is looked at as usual."""
    if mirror.health != Health.BROKEN:
        return EVERY
    doubled: int = 2 ** min(mirror.failures - 1, 10)
    return min(LONGEST_PAUSE, EVERY * doubled)


def _tell_operator(mirror: Mirror, at: dt.datetime) -> None:
    """One letter when it has failed several times, one when it is well again."""
    if mirror.failures >= LETTER_AFTER and mirror.told_at is None:
        mirror.told_at = at
        _letter(mirror, "mirror_fault", at)
    elif mirror.health == Health.HEALTHY and mirror.told_at is not None:
        mirror.told_at = None
        _letter(mirror, "mirror_recovered", at)


def _letter(mirror: Mirror, template: str, at: dt.datetime) -> None:
    key = f"{template}:{mirror.pk}:{at.isoformat()}"
    context = {"mirror": mirror, "since": mirror.health_since}
    outbox.enqueue(to=mirror.contact_email, template=template, context=context, key=key)
