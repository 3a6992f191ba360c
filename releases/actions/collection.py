"""Removing what nothing refers to any more: old indices, contents without a use, leftovers on disk.

Rows go first, in short transactions; a file goes when no row names it. So a run may be killed
anywhere: what is left is a file too many, and the next run takes it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from django.db import transaction
from django.db.models import Exists, ForeignObjectRel, Min, OuterRef, Q, QuerySet

from portal.accounts.models import User
from portal.lib import audit
from releases import leftovers
from releases.hold import seize
from releases.leftovers import Found
from releases.models import Blob, Collection, IndexBuild, IndexFile, Publication, Repository, Upload

GRACE: Final = dt.timedelta(days=1)  # nothing younger is garbage
State = Publication.State


@dataclass
class Report:
    """What was removed, or would be: publications that lose their index files, files, bytes."""

    publications: int = 0
    files: int = 0
    size: int = 0
    sizes: dict[str, int] = field(default_factory=dict)  # by kind of file

    def add(self, kind: str, found: Iterable[Found]) -> None:
        for one in found:
            self.files += 1
            self.size += one.size
            self.sizes[kind] = self.sizes.get(kind, 0) + one.size


def collect_garbage(*, actor: User | None, at: dt.datetime) -> Report:
    """Remove it. Publishing and uploads go on meanwhile."""
    run = Collection.objects.create(started_at=at)
    report = Report(publications=sum(_drop_old_indices(at)))
    for digests in leftovers.some_at_once(list(_unused(at))):
        _drop_blobs(digests, at)
    for some in leftovers.stored(at - GRACE):
        report.add("contents", _remove_stored(some))
    for kind, found in _stale(at):
        report.add(kind, [found] if leftovers.remove(found) else [])
    _finish(run, actor, report)
    return report


def measure_garbage(*, at: dt.datetime) -> Report:
    """What a run would remove now; nothing is."""
    report = Report()
    with transaction.atomic():
        report.publications = sum(_drop_old_indices(at))
        unused = set(_unused(at))
        transaction.set_rollback(True)
    for some in leftovers.stored(at - GRACE):
        report.add("contents", _without_row(some, gone=unused))
    for kind, found in _stale(at):
        report.add(kind, [found])
    return report


@transaction.atomic
def _finish(run: Collection, actor: User | None, report: Report) -> None:
    run.finished_at = dt.datetime.now(dt.UTC)
    run.publications, run.files, run.size = report.publications, report.files, report.size
    run.save()
    audit.record(
        actor=actor,
        verb="garbage.collect",
        subject=run,
        publications=report.publications,
        files=report.files,
        bytes=report.size,
    )


# --- rows ---------------------------------------------------------------------------------------


def _drop_old_indices(at: dt.datetime) -> Iterator[int]:
    """Repository after repository: how many publications lost their index files."""
    for number in Repository.objects.order_by("pk").values_list("pk", flat=True):
        yield _drop_indices(number, at)


@transaction.atomic
def _drop_indices(repository_id: int, at: dt.datetime) -> int:
    """Of publications that clients may not read any more, and builds that only those show.

    With the repository locked nothing is switched to meanwhile; where that is under way, the next
    run will do it. Everything that waits to be built copies from what is current, which stays.
    """
    locked = Repository.objects.select_for_update(no_key=True, skip_locked=True, of=["self"])
    repository = locked.filter(pk=repository_id).first()
    if repository is None:
        return 0
    files = IndexFile.objects.filter(publication__in=_past(repository, at))
    count = files.values("publication").distinct().count()
    files.delete()
    oldest = repository.publications.kept(at - GRACE).aggregate(serial=Min("serial"))["serial"]
    if oldest is not None:
        builds = IndexBuild.objects.filter(index__repository=repository).superseded(oldest)
        builds.delete()
    return count


def _past(repository: Repository, at: dt.datetime) -> QuerySet[Publication]:
    """Those of which no client reads a file: retired long enough, or never shown."""
    kept = repository.publications.kept(at - GRACE)
    ended = Q(state=State.PAST) | Q(state=State.FAILED, queued_at__lte=at - GRACE)
    return repository.publications.filter(ended).exclude(pk__in=kept.values("pk"))


def _references() -> Iterator[ForeignObjectRel]:
    """Every foreign key to a content, whichever model has it."""
    for relation in Blob._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel):
            yield relation


def _unreferenced(at: dt.datetime) -> QuerySet[Blob]:
    found = Blob.objects.filter(kept_at__lte=at - GRACE)
    for relation in _references():
        manager = relation.related_model._default_manager
        rows = manager.filter(**{relation.field.name: OuterRef("pk")})
        found = found.exclude(Exists(rows))
    return found


def _unused(at: dt.datetime) -> Iterable[str]:
    return _unreferenced(at).order_by("pk").values_list("sha256", flat=True)


@transaction.atomic
def _drop_blobs(digests: list[str], at: dt.datetime) -> None:
    """The rows of contents that nobody refers to. A writer may have begun to since they were found,
    so they are asked again once no writer is at them.
    """
    free = seize(digests)
    _unreferenced(at).filter(sha256__in=free).delete()


# --- files --------------------------------------------------------------------------------------


@transaction.atomic
def _remove_stored(some: list[Found]) -> list[Found]:
    """Remove the files that have no row and that no writer is about to give one."""
    by_name = {found.name: found for found in _without_row(some)}
    free = [by_name[digest] for digest in seize(list(by_name))]
    return [found for found in _without_row(free) if leftovers.remove(found)]


def _without_row(some: list[Found], gone: Iterable[str] = ()) -> list[Found]:
    names = [found.name for found in some]
    known = set(Blob.objects.filter(sha256__in=names).values_list("sha256", flat=True))
    return [found for found in some if found.name not in known.difference(gone)]


def _stale(at: dt.datetime) -> Iterator[tuple[str, Found]]:
    """Parts of uploads that ended without them, and what killed processes left."""
    for some in leftovers.some_at_once(leftovers.parts(at - GRACE)):
        wanted = Upload.objects.unsettled().filter(pk__in=[upload for upload, _ in some])
        waiting = set(wanted.values_list("pk", flat=True))
        yield from (("uploads", found) for upload, found in some if upload not in waiting)
    for found in leftovers.temporary(at - GRACE):
        yield "temporary", found
