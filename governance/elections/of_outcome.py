"""From the outcome of an election, as everybody can work it out, to what its pages take. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from governance.elections.counted import Absence, Counted, Turnout
from governance.recount.outcome import ContestOutcome, Outcome, rule
from governance.recount.parts import WITHDREW
from governance.sealed.manifest import Contest, Manifest
from governance.tally import question


def all_counted(
    manifest: Manifest, outcome: Outcome, *, everybody: bool = False
) -> Iterator[Counted]:
    """Every contest in the order of the manifest; see `counted`."""
    for contest in manifest.contests:
        yield counted(contest, outcome, everybody=everybody)


def counted(contest: Contest, outcome: Outcome, *, everybody: bool = False) -> Counted:
    """The count that stands, or the one with `everybody`, also those who left after freezing."""
    found = outcome.contest(contest.id)
    count = found.everybody if everybody else found.stands
    absent = dict.fromkeys(count.seated, Absence.SEATED)
    if not everybody:
        absent |= _left(contest, outcome)
    return Counted(
        turnout(contest, found),
        rule(contest),
        tuple(candidate.name for candidate in contest.candidates),
        count.rounds,
        outcome.seed,
        absent,
    )


def turnout(contest: Contest, found: ContestOutcome) -> Turnout:
    return Turnout(
        contest.title,
        found.roll,
        found.took_part,
        found.blank,
        len(found.spoilt),
        found.quorum,
        is_question=contest.method == question.METHOD,
    )


def _left(contest: Contest, outcome: Outcome) -> dict[int, Absence]:
    return {
        one.candidate: Absence.WITHDREW if one.how == WITHDREW else Absence.DISQUALIFIED
        for one in outcome.left
        if one.contest == contest.id
    }
