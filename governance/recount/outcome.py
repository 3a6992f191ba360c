"""The outcome of an election: all its contests, with everybody and without those who left.

Contests are resolved in the order of the manifest. Who is elected in one does not stand in those
after it: people are the same when their name and affiliation are. A contest without its quorum
elects nobody, and takes nobody from the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from governance.recount.parts import Left
from governance.sealed.manifest import Candidate, Contest, Manifest
from governance.tally import contest as tally
from governance.tally.contest import Round
from governance.tally.marks import Marks
from governance.tally.question import METHOD as QUESTION
from governance.tally.schulze import Comparison
from governance.tally.stages import Step, Tally
from governance.tally.ties import Lot, in_order


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A vote that took part and cannot be counted."""

    ballot: str  # its digest
    why: str


@dataclass(frozen=True, slots=True)
class Votes:
    """What counts in a contest: one paper of each voter."""

    papers: tuple[bytes, ...] = ()  # blank ones too
    spoilt: tuple[Spoilt, ...] = ()
    replaced: int = 0  # ballots that their voters cast again later
    issued: int = 0  # to how many the registrar gave a signature; who voted, if confidential


@dataclass(frozen=True, slots=True)
class Count:
    """All counts of a contest until nobody has to leave; the last one stands."""

    seated: tuple[int, ...]  # elected in a contest before this one
    rounds: tuple[Round, ...]  # none where nobody stands
    elected: tuple[int, ...]  # in the order of the count
    runners_up: tuple[int, ...]  # of those who stood, who would have been next first


@dataclass(frozen=True, slots=True)
class ContestOutcome:
    contest: str
    roll: int
    issued: int
    took_part: int
    blank: int
    spoilt: tuple[Spoilt, ...]
    replaced: int
    quorum: int
    left: tuple[int, ...]  # who withdrew or was disqualified
    everybody: Count
    without: Count | None  # who left; none where nobody left any contest

    @property
    def has_quorum(self) -> bool:
        return self.took_part >= self.quorum

    @property
    def stands(self) -> Count:
        """The count that decides."""
        return self.without or self.everybody

    @property
    def elected(self) -> tuple[int, ...]:
        return self.stands.elected if self.has_quorum else ()

    @property
    def valid(self) -> int:
        """Papers that say anything."""
        return self.took_part - self.blank - len(self.spoilt)


@dataclass(frozen=True, slots=True)
class Outcome:
    election: str
    seed: str
    left: tuple[Left, ...]
    contests: tuple[ContestOutcome, ...]
    inputs: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of each file, by its name

    def contest(self, name: str) -> ContestOutcome:
        """Raises KeyError for one that is not in the election."""
        return {each.contest: each for each in self.contests}[name]


def outcome(
    manifest: Manifest,
    votes: Mapping[str, Votes],
    *,
    left: Collection[Left],
    seed: str,
    inputs: Mapping[str, str] | None = None,
) -> Outcome:
    """Count all contests. Raises ValueError for what cannot be counted."""
    gone = _left(manifest, left)
    every = _counts(manifest, votes, {}, seed)
    standing = _counts(manifest, votes, gone, seed) if left else {}
    contests = tuple(
        _outcome(contest, votes.get(contest.id, Votes()), gone, every, standing)
        for contest in manifest.contests
    )
    return Outcome(manifest.election, seed, _sorted(left), contests, dict(inputs or {}))


def rule(contest: Contest) -> tally.Contest:
    """The contest as the arithmetic has it."""
    yes, no = contest.ratio
    return tally.Contest(
        contest.method,
        len(contest.candidates),
        contest.seats,
        {
            place: candidate.affiliation
            for place, candidate in enumerate(contest.candidates)
            if candidate.affiliation
        },
        contest.most_of_one_affiliation,
        (yes, no),
    )


def runners_up(last: tally.Elected, standing: Collection[int], lot: Lot) -> tuple[int, ...]:
    """Those who stood and were not elected, who was nearest to a seat first.

    Where candidates are excluded: who was still there at the end by votes, then who was excluded
    last. Who takes a seat that becomes free is not told by this but by `countback`.
    """
    if isinstance(last, Marks | Comparison):
        return tuple(one for one in last.order if one not in last.elected)
    if not isinstance(last, Tally):
        return tuple(one for one in sorted(standing) if one not in last.elected)
    excluded = [stage.candidate for stage in last.stages if stage.step is Step.EXCLUSION]
    there = set(standing) - set(last.elected) - set(excluded)
    votes = [stage.votes for stage in last.stages]
    order, _ = in_order(there, votes[-1], votes[:-1], lot) if there else ([], [])
    return (*order, *(one for one in reversed(excluded) if one is not None))


def _sorted(left: Collection[Left]) -> tuple[Left, ...]:
    return tuple(sorted(left, key=lambda one: (one.contest, one.candidate)))


def _left(manifest: Manifest, left: Collection[Left]) -> dict[str, tuple[int, ...]]:
    """The places of who left, by contest. Raises ValueError for who never stood."""
    found: dict[str, list[int]] = {contest.id: [] for contest in manifest.contests}
    for one in left:
        if one.contest not in found:
            raise ValueError(f"somebody left {one.contest}, which is no contest of this election")
        if not 0 <= one.candidate < len(manifest.contest(one.contest).candidates):
            raise ValueError(f"candidate {one.candidate} of {one.contest} left and never stood")
        if one.candidate in found[one.contest]:
            raise ValueError(f"candidate {one.candidate} of {one.contest} left twice")
        found[one.contest].append(one.candidate)
    return {contest: tuple(sorted(places)) for contest, places in found.items()}


def _counts(
    manifest: Manifest,
    votes: Mapping[str, Votes],
    gone: Mapping[str, tuple[int, ...]],
    seed: str,
) -> dict[str, Count]:
    """The counts of all contests, each without those whom one before it elected."""
    counts: dict[str, Count] = {}
    seated: set[Candidate] = set()
    for contest in manifest.contests:
        cast = votes.get(contest.id, Votes())
        places = tuple(_places(contest, seated))
        found = _count(contest, cast.papers, gone.get(contest.id, ()), places, Lot(seed))
        counts[contest.id] = found
        if _took_part(cast) >= contest.quorum and contest.method != QUESTION:
            seated |= {_person(contest.candidates[one]) for one in found.elected}
    return counts


def _count(
    contest: Contest,
    papers: tuple[bytes, ...],
    gone: tuple[int, ...],
    seated: tuple[int, ...],
    lot: Lot,
) -> Count:
    valid = [paper for paper in papers if paper]
    absent = {*gone, *seated}
    if len(absent) >= len(contest.candidates):
        return Count(seated, (), (), ())
    rounds = tuple(tally.resolve(valid, rule(contest), lot=lot, seated=absent))
    last = rounds[-1]
    standing = set(range(len(contest.candidates))) - set(last.left)
    return Count(seated, rounds, last.tally.elected, runners_up(last.tally, standing, lot))


def _outcome(
    contest: Contest,
    cast: Votes,
    gone: Mapping[str, tuple[int, ...]],
    every: Mapping[str, Count],
    standing: Mapping[str, Count],
) -> ContestOutcome:
    return ContestOutcome(
        contest=contest.id,
        roll=len(contest.roll),
        issued=cast.issued,
        took_part=_took_part(cast),
        blank=cast.papers.count(b""),
        spoilt=tuple(sorted(cast.spoilt, key=lambda one: one.ballot)),
        replaced=cast.replaced,
        quorum=contest.quorum,
        left=gone[contest.id],
        everybody=every[contest.id],
        without=standing.get(contest.id),
    )


def _took_part(cast: Votes) -> int:
    """Blank and spoilt votes take part too."""
    return len(cast.papers) + len(cast.spoilt)


def _places(contest: Contest, people: Collection[Candidate]) -> Iterator[int]:
    for place, candidate in enumerate(contest.candidates):
        if contest.method != QUESTION and _person(candidate) in people:
            yield place


def _person(candidate: Candidate) -> Candidate:
    """Statements may differ from contest to contest."""
    return Candidate(candidate.name, candidate.affiliation, "")
