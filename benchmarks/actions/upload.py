"""An upload from its bytes to a kept run: read, completed by what the sender says, kept."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from benchmarks import privacy, suites
from benchmarks.actions.run import Kept, keep_run
from benchmarks.actions.suite import define_suite
from benchmarks.documents import Document, Measured, RefusedError
from benchmarks.models import Suite, Trust
from benchmarks.readers import limits, names, native, take
from benchmarks.readers.numbers import finite
from portal.accounts.models import User

NAMESPACE: Final = uuid.UUID("b7f0a1de-4f0e-5c52-9d8e-6a1f3c2e9d10")


@dataclass(frozen=True, slots=True)
class Said:
    """What the sender says beside the file; it wins over the file.

    ``subjects`` maps a subject's name in the file to the name and version it is known by.
    """

    run_id: uuid.UUID | None = None
    suite: str = ""
    title: str = ""
    environment: Mapping[str, Any] | None = None
    subjects: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Understood:
    """An upload that can be kept, before it is."""

    document: Document
    original: bytes
    sha256: str
    suite_slug: str


def understand(*, raw: bytes, said: Said, at: datetime) -> Understood:
    """Read an upload without keeping anything. Raises `RefusedError`."""
    taken = take(raw, now=at)
    document = _completed(taken.document, said)
    limits.check(document, now=at)
    slug = said.suite or document.suite or suites.CONNECTORS
    known = {*suites.ready_suites(), *Suite.objects.values_list("slug", flat=True)}
    if slug not in known:
        raise RefusedError(
            "", f"There is no suite “{slug[:80]}”. Known: {', '.join(sorted(known))}."
        )
    return Understood(names.told_apart(document), taken.original, taken.sha256, slug)


def upload_run(*, actor: User | None, raw: bytes, said: Said, at: datetime) -> Kept:
    """Read and keep an upload; without an actor it goes into quarantine.

    Raises `RefusedError`, or `RunIdTakenError` for the id of another person's run.
    """
    understood = understand(raw=raw, said=said, at=at)
    document = understood.document
    sender = f"{actor.pk if actor else 'anonymous'}:{understood.sha256}:{understood.suite_slug}"
    return keep_run(
        actor=actor,
        uid=document.run_id or said.run_id or uuid.uuid5(NAMESPACE, sender),
        suite=suite_of(understood.suite_slug),
        document=document,
        original=understood.original,
        sha256=understood.sha256,
        trust=Trust.SIGNED_IN if actor else Trust.ANONYMOUS,
        at=at,
    )


def suite_of(slug: str) -> Suite:
    """The suite of this address; a ready one is defined when it is named for the first time."""
    suite = Suite.objects.filter(slug=slug).first()
    return suite or define_suite(actor=None, definition=suites.ready_suites()[slug])


def _completed(document: Document, said: Said) -> Document:
    environment = document.environment
    if said.environment is not None and not environment:
        environment = privacy.cleaned(dict(said.environment))
        native.check_schema(environment, under="environment")
        finite(environment, "/environment")
    return replace(
        document,
        results=[_renamed(one, said) for one in document.results],
        environment=environment,
        title=privacy.clean(said.title.strip()[:200]) or document.title,
    )


def _renamed(one: Measured, said: Said) -> Measured:
    name, version = said.subjects.get(one.subject.name, ("", ""))
    if not name:
        return one
    return replace(
        one,
        subject=replace(
            one.subject, name=privacy.clean(name), version=version or one.subject.version
        ),
    )
