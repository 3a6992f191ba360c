"""Keeping a run: the row, its original file, its results and their samples."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from uuid import UUID

from django.db import IntegrityError, transaction

from benchmarks import keys
from benchmarks.documents import Document, Measured, Subject
from benchmarks.machines import fingerprint
from benchmarks.models import Case, Original, Result, Run, Samples, Signer, State, Suite, Trust
from benchmarks.readers.names import slug
from portal.accounts.models import User
from portal.lib import audit

AT_ONCE = 500  # rows of one INSERT


class RunIdTakenError(Exception):
    """Somebody else sent another file under this run id."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The run of an upload; ``is_new`` is False when it had come before. ``claim`` is the text of
    the one-time token of a new run without an account, which nobody can read again.
    """

    run: Run
    is_new: bool
    claim: str = ""


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends, and what they bring to prove it. Without an account: where to answer."""

    actor: User | None
    trust: Trust
    signer: Signer | None = None
    signed_as: str = ""
    contact: str = ""


def keep_run(
    *,
    sender: Sender,
    uid: UUID,
    suite: Suite,
    document: Document,
    original: bytes,
    sha256: str,
    at: datetime,
    source: str = "",
) -> Kept:
    """Keep an upload whole. The same run id again: the first run is the answer.

    Raises `RunIdTakenError` when the first one is another person's, or nobody's, and another file.
    """
    actor = sender.actor
    earlier = _earlier(uid, actor, sha256)
    if earlier is not None:
        return Kept(earlier, is_new=False)
    claim = keys.new_claim() if sender.trust == Trust.ANONYMOUS else ""
    try:
        with transaction.atomic():
            run = _create_run(sender, claim, uid, suite, document, at, source)
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
    return Kept(run, is_new=True, claim=claim)


def _earlier(uid: UUID, actor: User | None, sha256: str) -> Run | None:
    run = Run.objects.filter(uid=uid).select_related("suite", "original").first()
    if run is None:
        return None
    same_person = actor is not None and run.uploader_id == actor.pk  # nobody is not somebody
    if not same_person and run.original.sha256 != sha256:
        raise RunIdTakenError(str(uid))
    return run


def _create_run(
    sender: Sender,
    claim: str,
    uid: UUID,
    suite: Suite,
    document: Document,
    at: datetime,
    source: str,
) -> Run:
    return Run.objects.create(
        uid=uid,
        suite=suite,
        state=State.QUARANTINE if sender.trust == Trust.ANONYMOUS else State.PUBLISHED,
        trust=sender.trust,
        uploader=sender.actor,
        signer=sender.signer,
        signed_as=sender.signed_as,
        contact=sender.contact if sender.actor is None else "",
        claim_hash=keys.hashed(claim) if claim else "",
        measured_hash=measured_hash(document),
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


def measured_hash(document: Document) -> str:
    """A hash of the numbers alone, so that a file with another title or run id is known again."""
    digests = sorted(_digest(one) for one in document.results if one.samples or one.summary)
    return hashlib.sha256(b"".join(digests)).hexdigest() if digests else ""


def _digest(one: Measured) -> bytes:
    summary = "" if one.samples else sorted(one.summary.items())
    head = f"{one.case} {one.unit} {[len(process) for process in one.samples]} {summary}"
    values = array("d", chain.from_iterable(one.samples))
    return hashlib.sha256(head.encode() + values.tobytes()).digest()


def _create_results(run: Run, suite: Suite, document: Document) -> None:
    cases = suite.newest_cases()
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
        connector=slug(one.subject.name, otherwise="subject"),
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
