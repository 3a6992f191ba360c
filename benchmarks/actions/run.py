"""Keeping a run, and what happens to it afterwards: accepted, rejected, withdrawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from benchmarks.documents import Document, Measured, Subject
from benchmarks.machines import fingerprint
from benchmarks.models import Case, Original, Result, Run, Samples, State, Suite, Trust
from benchmarks.readers.names import slug
from portal.accounts.models import User
from portal.lib import audit

AT_ONCE = 500  # rows of one INSERT


class RunIdTakenError(Exception):
    """Somebody else sent another file under this run id."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The run of an upload; ``is_new`` is False when it had come before."""

    run: Run
    is_new: bool


def keep_run(
    *,
    actor: User | None,
    uid: UUID,
    suite: Suite,
    document: Document,
    original: bytes,
    sha256: str,
    trust: Trust,
    at: datetime,
    source: str = "",
) -> Kept:
    """Keep an upload whole. The same run id again: the first run is the answer.

    Raises `RunIdTakenError` when the first one is another person's, or nobody's, and another file.
    """
    earlier = _earlier(uid, actor, sha256)
    if earlier is not None:
        return Kept(earlier, is_new=False)
    try:
        with transaction.atomic():
            run = _create_run(actor, uid, suite, document, trust, at, source)
            Original.packed_from(run, original, sha256).save()
            _create_results(run, suite, document)
            audit.record(
                actor=actor,
                verb="benchmark_run.upload",
                subject=run,
                suite=suite.slug,
                results=len(document.results),
                state=run.state,
            )
    except IntegrityError:  # the same upload, sent twice at once: the other one was first
        earlier = _earlier(uid, actor, sha256)
        if earlier is None:
            raise
        return Kept(earlier, is_new=False)
    return Kept(run, is_new=True)


def _earlier(uid: UUID, actor: User | None, sha256: str) -> Run | None:
    run = Run.objects.filter(uid=uid).select_related("suite", "original").first()
    if run is None:
        return None
    same_person = actor is not None and run.uploader_id == actor.pk  # nobody is not somebody
    if not same_person and run.original.sha256 != sha256:
        raise RunIdTakenError(str(uid))
    return run


def _create_run(
    actor: User | None,
    uid: UUID,
    suite: Suite,
    document: Document,
    trust: Trust,
    at: datetime,
    source: str,
) -> Run:
    return Run.objects.create(
        uid=uid,
        suite=suite,
        state=State.QUARANTINE if trust == Trust.ANONYMOUS else State.PUBLISHED,
        trust=trust,
        uploader=actor,
        title=document.title,
        notes=document.notes,
        source=source,
        source_url=document.source_url,
        format=document.format,
        tool=dict(document.tool),
        tags=list(document.tags),
        order=document.order,
        environment=dict(document.environment),
        machine=fingerprint(document.environment),
        remarks=list(document.remarks),
        started_at=document.started_at,
        finished_at=document.finished_at,
        uploaded_at=at,
    )


def _create_results(run: Run, suite: Suite, document: Document) -> None:
    cases = {case.slug: case for case in suite.cases.order_by("version")}
    slugs = _subject_slugs(document)
    rows = [
        _result(run, at, one, cases.get(one.case), slugs[one.subject])
        for at, one in enumerate(document.results)
    ]
    Result.objects.bulk_create(rows, batch_size=AT_ONCE)
    Samples.objects.bulk_create(
        [
            Samples.laid_flat(row, one.samples)
            for row, one in zip(rows, document.results, strict=True)
            if one.samples
        ],
        batch_size=AT_ONCE,
    )


def _result(run: Run, at: int, one: Measured, case: Case | None, subject_slug: str) -> Result:
    return Result(
        run=run,
        position=at,
        case=case,
        case_slug=one.case,
        subject_slug=subject_slug,
        subject=one.subject.name,
        version=one.subject.version,
        implementation=one.subject.implementation,
        package=one.subject.package,
        runtime=one.subject.runtime,
        params=dict(one.params),
        metric=one.metric,
        unit=one.unit,
        direction=one.direction,
        summary=dict(one.summary),
        evidence=dict(one.evidence),
        flags=list(one.flags),
        error=one.error,
        trust=run.trust,
    )


def _subject_slugs(document: Document) -> dict[Subject, str]:
    """An address for each subject of a run; those that would share one are numbered."""
    found: dict[Subject, str] = {}
    taken: set[str] = set()
    for one in document.results:
        if one.subject not in found:
            name = next(name for name in _slug_names(one.subject) if name not in taken)
            taken.add(name)
            found[one.subject] = name
    return found


def _slug_names(subject: Subject) -> Iterator[str]:
    base = slug(f"{subject.name} {subject.version}", otherwise="subject")[:70].strip("_.-")
    yield base
    yield from (f"{base}-{number}" for number in range(2, 10_000))


@transaction.atomic
def accept_run(*, actor: User, run: Run) -> bool:
    """Out of quarantine, seen by everybody; False when it was not waiting any more."""
    return _move(actor, run, State.QUARANTINE, State.PUBLISHED, "benchmark_run.accept", "")


@transaction.atomic
def reject_run(*, actor: User, run: Run, reason: str = "") -> bool:
    """Out of quarantine, seen by staff and its uploader only."""
    return _move(actor, run, State.QUARANTINE, State.REJECTED, "benchmark_run.reject", reason)


@transaction.atomic
def withdraw_run(*, actor: User, run: Run, reason: str = "") -> bool:
    """Out of lists and comparisons; its page stays and says so."""
    return _move(actor, run, State.PUBLISHED, State.WITHDRAWN, "benchmark_run.withdraw", reason)


def _move(actor: User, run: Run, before: State, after: State, verb: str, reason: str) -> bool:
    moved = Run.objects.filter(pk=run.pk, state=before).update(state=after)
    if moved:
        run.state = after
        audit.record(actor=actor, verb=verb, subject=run, reason=reason)
    return bool(moved)
