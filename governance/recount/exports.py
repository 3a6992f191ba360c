"""The papers of an election for other counting programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from governance.recount.outcome import Outcome, Votes
from governance.sealed.manifest import Contest, Manifest
from governance.tally import marks, question, schulze
from governance.tally.formats import blt, preflib, table
from governance.tally.formats.sheet import Sheet, as_ranks, sheet
from governance.tally.schulze import UNRANKED

FORMATS: Final[Mapping[str, Callable[[Sheet], str]]] = {
    "blt": blt.write,
    "csv": table.write,
    "preflib": preflib.write,
}
_MARKED: Final = (*marks.METHODS, question.METHOD)


def of_contest(contest: Contest, votes: Votes, withdrawn: tuple[int, ...] = ()) -> Sheet:
    """The papers that count, blank ones too; equal ones together, so that no order is told."""
    names = [candidate.name for candidate in contest.candidates]
    ranks = [(1, _ranks(contest, paper)) for paper in votes.papers]
    return sheet(contest.title, names, contest.seats, ranks, withdrawn)


def texts(
    kind: str, manifest: Manifest, votes: Mapping[str, Votes], found: Outcome
) -> dict[str, str]:
    """One text for each contest. Raises FormatError for papers that the format cannot say."""
    every = {}
    for contest in manifest.contests:
        left = found.contest(contest.id).left
        every[contest.id] = FORMATS[kind](of_contest(contest, votes[contest.id], left))
    return every


def paths(wanted: Path, manifest: Manifest) -> Iterator[Path]:
    """Where each contest goes: with several, its name stands before the ending."""
    for contest in manifest.contests:
        name = contest.id.partition("/")[2]
        several = len(manifest.contests) > 1
        yield wanted.with_name(f"{wanted.stem}-{name}{wanted.suffix}") if several else wanted


def _ranks(contest: Contest, paper: bytes) -> bytes:
    candidates = len(contest.candidates)
    if contest.method == schulze.METHOD:
        return paper or bytes([UNRANKED]) * candidates
    if contest.method in _MARKED:
        return bytes(1 if one in paper else UNRANKED for one in range(candidates))
    return as_ranks(paper, candidates)
