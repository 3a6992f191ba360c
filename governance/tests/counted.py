"""An election that is counted, quickly: its papers lie open, so that no key has to be made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from governance.elections import compose
from governance.elections.compose import OfficeKeys
from governance.models import Candidacy, Election, ElectionCount, RollEntry
from governance.recount import bundle, result
from governance.recount.parts import Line, Opening, Parts
from governance.sealed import manifest

Papers = Mapping[str, Sequence[bytes]]  # by constituency


def count_openly(election: Election, papers: Papers, at: datetime) -> Election:
    """Number what stands, and count these papers by the rules of the manifest."""
    Election.objects.filter(pk=election.pk).update(level="confidential")
    election.refresh_from_db()
    for contest in election.contests.all():
        for number, one in enumerate(contest.candidacies.standing()):
            Candidacy.objects.filter(pk=one.pk).update(number=number)
        voters = RollEntry.objects.standing().filter(contest=contest)
        for number, entry in enumerate(voters.order_by("name"), start=1):
            RollEntry.objects.filter(pk=entry.pk).update(number=number)
    text = manifest.write(compose.manifest_of(election, OfficeKeys()))
    parts = Parts(
        manifest=text,
        signatures=(),
        issued={
            f"{election.name}/{name}": list(range(1, len(found) + 1))
            for name, found in papers.items()
        },
        opening=Opening((), 0, ()),
        sheet=tuple(
            Line(f"{election.name}/{name}", f"{number:064x}", paper)
            for name, found in papers.items()
            for number, paper in enumerate(found)
        ),
    )
    counted = bundle.count(parts)
    Election.objects.filter(pk=election.pk).update(
        state=Election.State.COUNTED,
        manifest=text.decode(),
        manifest_sha256=manifest.digest(text),
        closed_at=at,
        counted_at=at,
    )
    ElectionCount.objects.create(
        election=election,
        result=result.document(counted),
        papers={
            f"{election.name}/{name}": {paper.hex(): found.count(paper) for paper in set(found)}
            for name, found in papers.items()
        },
        bundle=bundle.write(parts, counted),
        bundle_sha256="0" * 64,
        counted_at=at,
    )
    election.refresh_from_db()
    return election
