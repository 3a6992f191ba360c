"""An upload from its bytes to a kept run: read, completed by what the sender says, kept."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from benchmarks import mapping, privacy, suites
from benchmarks.actions.mapping import remember_roles
from benchmarks.actions.proof import Proof, proof_of
from benchmarks.actions.run import Kept, Sender, keep_run
from benchmarks.actions.suite import define_suite
from benchmarks.documents import Document, Measured, RefusedError
from benchmarks.models import Case, Suite, Trust
from benchmarks.readers import Taken, limits, names, native, take
from benchmarks.readers.numbers import finite
from benchmarks.trust import flags, ladder
from portal.accounts.models import User

NAMESPACE: Final = uuid.UUID("b7f0a1de-4f0e-5c52-9d8e-6a1f3c2e9d10")


@dataclass(frozen=True, slots=True)
class Said:
    """What the sender says beside the file; it wins over the file.

    ``subjects`` maps a subject's name in the file to the name and version it is known by,
    ``roles`` says what each part of a name is, for names of that many parts.
    """

    run_id: uuid.UUID | None = None
    suite: str = ""
    title: str = ""
    environment: Mapping[str, Any] | None = None
    subjects: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    roles: mapping.Roles = field(default_factory=dict)
    contact: str = ""
    signature: str = ""
    key_id: str = ""
    identity: str = ""


@dataclass(frozen=True, slots=True)
class Understood:
    """An upload that can be kept, before it is."""

    document: Document
    taken: Taken
    suite_slug: str
    cases: Mapping[str, str]

    @property
    def original(self) -> bytes:
        return self.taken.original

    @property
    def sha256(self) -> str:
        return self.taken.sha256

    def unmapped(self) -> list[str]:
        """What the portal cannot place, in words."""
        return mapping.unmapped(self.document, list(self.cases))


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What an upload would be kept as: ``document`` with its last remarks, who stands behind it."""

    understood: Understood
    document: Document
    proof: Proof
    trust: Trust


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
    cases = _cases(slug)
    document = mapping.placed(document, list(cases), said.roles)
    return Understood(names.told_apart(document), taken, slug, cases)


def foresee(*, actor: User | None, raw: bytes, said: Said, at: datetime) -> Foreseen:
    """An upload with what its signature proves, and nothing kept. Raises `RefusedError`."""
    understood = understand(raw=raw, said=said, at=at)
    proof = proof_of(
        actor=actor,
        taken=understood.taken,
        signature=said.signature,
        key_id=said.key_id,
        token=said.identity,
        at=at,
    )
    document = _noted(understood.document, proof)
    return Foreseen(understood, document, proof, _rung(understood, actor, proof))


def upload_run(*, actor: User | None, raw: bytes, said: Said, at: datetime) -> Kept:
    """Read and keep an upload; without an actor it goes into quarantine.

    Raises `RefusedError`, or `RunIdTakenError` for the id of another person's run.
    """
    foreseen = foresee(actor=actor, raw=raw, said=said, at=at)
    understood, document, proof = foreseen.understood, foreseen.document, foreseen.proof
    if actor is not None and said.roles:
        remember_roles(actor=actor, kind=document.format, roles=said.roles)
    sender = f"{actor.pk if actor else 'anonymous'}:{understood.sha256}:{understood.suite_slug}"
    return keep_run(
        sender=Sender(
            actor,
            foreseen.trust,
            signer=proof.signer,
            signed_as=proof.signed_as,
            contact=said.contact,
        ),
        uid=document.run_id or said.run_id or uuid.uuid5(NAMESPACE, sender),
        suite=suite_of(understood.suite_slug),
        document=document,
        original=understood.original,
        sha256=understood.sha256,
        at=at,
    )


def _rung(understood: Understood, actor: User | None, proof: Proof) -> Trust:
    found = ladder.rung(
        understood.document,
        suite_hash=suites.suite_hash(understood.cases),
        case_hashes=understood.cases,
        has_account=actor is not None,
        is_signed=proof.signer is not None,
    )
    return Trust(found)


def _noted(document: Document, proof: Proof) -> Document:
    """With why a signature did not count, and a tag for a server that is not as it comes."""
    remarks, tags = list(document.remarks), list(document.tags)
    if proof.remark:
        remarks.append(proof.remark)
    if flags.tuned(document.environment) and "tuned" not in tags:
        tags.append("tuned")
    return replace(document, remarks=remarks, tags=tags)


def _cases(slug: str) -> dict[str, str]:
    """The hash of each case of a suite, as it is defined now; whether or not it has a row yet."""
    rows = Case.objects.filter(suite__slug=slug).order_by("version")
    found = dict(rows.values_list("slug", "definition_hash"))
    if not found and slug in suites.ready_suites():
        found = {case.slug: case.hash for case in suites.ready_suites()[slug].cases}
    return found


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
    document = mapping.applied(document, said.roles)
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
    known = privacy.clean(version) or one.subject.version
    return replace(one, subject=replace(one.subject, name=privacy.clean(name), version=known))
