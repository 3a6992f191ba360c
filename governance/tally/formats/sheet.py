"""What every format says: who stands, for how many seats, and how many papers rank them how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from governance.tally.papers import Paper, check_number
from governance.tally.schulze import NO_OPINION, UNRANKED, Ranks

MOST_PAPERS: Final = 10_000_000


class FormatError(ValueError):
    """A file that cannot be read, or papers that a format cannot say; with the line, if known."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line = line


@dataclass(frozen=True, slots=True)
class Sheet:
    """The papers of a contest, equal ones together. Candidates are counted from 0."""

    title: str
    candidates: tuple[str, ...]
    seats: int
    papers: tuple[tuple[int, Ranks], ...]  # how many rank so; sorted, so that no order is told
    withdrawn: tuple[int, ...] = ()

    @property
    def number(self) -> int:
        return sum(number for number, _ in self.papers)

    def rankings(self) -> list[Paper]:
        """One strict ranking for each paper. Raises FormatError where a paper has equal ranks, and
        for more papers than a count takes.
        """
        if self.number > MOST_PAPERS:
            raise FormatError(f"there are {self.number} papers; at most {MOST_PAPERS} are counted")
        return [paper for number, ranks in self.papers for paper in [as_paper(ranks)] * number]


def sheet(
    title: str,
    candidates: Iterable[str],
    seats: int,
    papers: Iterable[tuple[int, Ranks]],
    withdrawn: Iterable[int] = (),
) -> Sheet:
    """A sheet with equal papers put together. Raises FormatError for what cannot be one."""
    names = tuple(_one_line(name) for name in candidates)
    check_candidates(len(names))
    if seats < 1:
        raise FormatError("a contest fills at least one seat")
    together: Counter[Ranks] = Counter()
    for number, ranks in papers:
        together[_canonical(ranks)] += number
    sorted_papers = tuple((number, ranks) for ranks, number in sorted(together.items()))
    return Sheet(_one_line(title), names, seats, sorted_papers, tuple(sorted(set(withdrawn))))


def check_candidates(number: int) -> None:
    """Raises FormatError for too few or too many."""
    try:
        check_number(number)
    except ValueError as error:
        raise FormatError(str(error)) from error


def as_ranks(paper: Paper, candidates: int) -> Ranks:
    """A strict ranking as one rank for each candidate; who is not ranked is below all who are."""
    ranks = bytearray([UNRANKED]) * candidates
    for rank, one in enumerate(paper, 1):
        ranks[one] = rank
    return bytes(ranks)


def as_paper(ranks: Ranks) -> Paper:
    """The candidates who are ranked, the best first. Raises FormatError for equal ranks."""
    ranked = sorted((rank, one) for one, rank in enumerate(ranks) if rank not in _NOT_RANKED)
    if len({rank for rank, _ in ranked}) < len(ranked):
        raise FormatError("a paper ranks two candidates equally, which this method cannot count")
    return bytes(one for _, one in ranked)


def levels(ranks: Ranks) -> list[list[int]]:
    """The candidates who are ranked, those of the best rank first."""
    found: dict[int, list[int]] = {}
    for one, rank in enumerate(ranks):
        if rank not in _NOT_RANKED:
            found.setdefault(rank, []).append(one)
    return [found[rank] for rank in sorted(found)]


_NOT_RANKED = (NO_OPINION, UNRANKED)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _canonical(ranks: Ranks) -> Ranks:
    """Ranks 1, 2, 3 … without gaps: 2 before 7 says no more than 1 before 2."""
    used = sorted(set(ranks) - set(_NOT_RANKED))
    place = {rank: number for number, rank in enumerate(used, 1)}
    return bytes(place.get(rank, rank) for rank in ranks)
