"""What speaks against the results of a run, and who has reproduced them: beside its statistics.

A run is compared with others of its key: suite and case as defined, subject and version, metric,
parameters, machine and server series. A machine that is not known has no others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q

from benchmarks.documents import params_key
from benchmarks.machines import server_major
from benchmarks.models import Result, Run, State, Statistics, Trust
from benchmarks.statistics.describe import FEWEST
from benchmarks.trust import flags
from portal.accounts.models import RoleGrant
from portal.accounts.roles import Scope

MOST_PEERS: Final = 5_000  # the latest; more say nothing new about what is usual

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Peer:
    """A result of another run under the same key."""

    result_id: int
    run_id: int
    uploader_id: int | None
    trust: int
    measured_hash: str
    median: float
    low: float | None
    high: float | None


Peers = Mapping[Key, Sequence[Peer]]


def add_flags(run: Run, rows: Sequence[Statistics], peers: Peers) -> None:
    """Complete the flags of statistics that are not saved yet."""
    shared = flags.of_run(order=run.order, environment=run.environment)
    if flags.tuned(run.environment):
        shared.append("tuned")
    if _is_copy(run):
        shared.append("duplicate")
    samples = [_samples(row.result) for row in rows]
    repeated = flags.repeated(samples)
    for at, row in enumerate(rows):
        found = [*row.flags, *shared, *_flags(row, samples[at])]
        if at in repeated:
            found.append("identical_samples")
        if flags.is_far(row.median, [one.median for one in peers.get(_key(run, row.result), ())]):
            found.append("outlier")
        row.flags = list(dict.fromkeys(found))


def mark_reproduced(run: Run, rows: Sequence[Statistics], peers: Peers) -> None:
    """The fifth rung, in both directions: another uploader's median within the interval.

    Only between public runs of people with an account who share no organisation (docs/decisions/
    0181), and never for a copy of the same numbers.
    """
    if run.state != State.PUBLISHED or run.trust < Trust.SIGNED_IN:
        return
    found: dict[int, list[int]] = defaultdict(list)
    near = _same_house(run.uploader_id) if run.uploader_id else {None}
    for row in rows:
        others = [
            one
            for one in peers.get(_key(run, row.result), ())
            if one.uploader_id not in near and _is_another(one, run)
        ]
        by = next((one for one in others if _within(one.median, row.low, row.high)), None)
        if by is not None:
            found[by.run_id].append(row.result_id)
        found[run.pk] += [one.result_id for one in others if _within(row.median, one.low, one.high)]
    for by_run, results in found.items():
        Result.objects.filter(pk__in=results, reproduced_by__isnull=True).update(
            reproduced_by=by_run, trust=Trust.REPRODUCED
        )


def recount(run: Run) -> None:
    """Ask again who has reproduced a run that is described: its uploader or a peer has changed."""
    rows = list(Statistics.objects.filter(result__run=run).select_related("result"))
    mark_reproduced(run, rows, peers_of(run, rows))


def _same_house(user_id: int) -> set[int | None]:
    """A person, and who speaks or spoke for one of the same organisations."""
    grants = RoleGrant.objects.filter(scope_kind=Scope.ORGANISATION).exclude(scope_slug="")
    houses = grants.filter(user_id=user_id).values("scope_slug")
    colleagues = grants.filter(scope_slug__in=houses).values_list("user_id", flat=True)
    return {user_id, *colleagues}


def _is_another(one: Peer, run: Run) -> bool:
    return one.trust >= Trust.SIGNED_IN and one.measured_hash != run.measured_hash


def _within(value: float, low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and low <= value <= high


def _flags(row: Statistics, samples: list[list[float]]) -> list[str]:
    result = row.result
    found = flags.of_evidence(result.case_slug, result.params, result.evidence)
    if flags.is_too_fast(result.case_slug, result.unit, result.params, row.median):
        found.append("too_fast")
    if flags.all_alike(samples):
        found.append("identical_samples")
    return found


def _samples(result: Result) -> list[list[float]]:
    return result.samples.processes() if hasattr(result, "samples") else []


def _is_copy(run: Run) -> bool:
    """Whether the same file, or the same numbers in another, came before."""
    same = Q(measured_hash=run.measured_hash) if run.measured_hash else Q()
    original = getattr(run, "original", None)
    if original is not None:
        same |= Q(original__sha256=original.sha256)
    return bool(same) and Run.objects.filter(same, pk__lt=run.pk).exists()


def _key(run: Run, one: Result) -> Key:
    return (
        *(one.case_id, one.case_slug, one.subject, one.version, one.metric, one.unit),
        server_major(run.environment),
        params_key(one.params),
    )


def peers_of(run: Run, rows: Sequence[Statistics]) -> Peers:
    """Results of other public runs on the same machine, by their key; one query."""
    found: dict[Key, list[Peer]] = defaultdict(list)
    if not run.machine or not rows:
        return found
    others = (
        Statistics.objects.filter(
            result__run__suite=run.suite_id,
            result__run__machine=run.machine,
            result__run__state=State.PUBLISHED,
            result__case_slug__in={row.result.case_slug for row in rows},
            result__subject__in={row.result.subject for row in rows},
        )
        .exclude(result__run=run)
        .filter(processes__gte=FEWEST)
        .select_related("result", "result__run")
        .order_by("-result_id")[:MOST_PEERS]
    )
    for one in others:
        theirs = one.result.run
        peer = Peer(
            one.result_id,
            theirs.pk,
            theirs.uploader_id,
            theirs.trust,
            theirs.measured_hash,
            one.median,
            one.low,
            one.high,
        )
        found[_key(theirs, one.result)].append(peer)
    return found
