"""Ballot papers that rank candidates, and how they are sorted into piles.

A paper is `bytes`: the places of the candidates in the list of the contest, the most wanted first,
one byte each and none twice. So a pile of a million is cut and sorted by a few calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

Paper = bytes

MOST_CANDIDATES: Final = 250
_BETWEEN: Final = b"\xff"  # no candidate has this place
_NOBODY: Final = 254


def check_number(candidates: int) -> None:
    """Raises ValueError for too few candidates or too many, before anything is made as long."""
    if not 0 < candidates <= MOST_CANDIDATES:
        raise ValueError(f"there are {candidates} candidates; from 1 to {MOST_CANDIDATES} can be")


def checked(papers: Iterable[Paper], candidates: int) -> list[Paper]:
    """The papers that rank anybody; every count takes them. Asked once, whatever is counted then.

    Raises ValueError for one that ranks who does not stand, or somebody twice: such a paper must
    have been refused when it was cast.
    """
    check_number(candidates)
    found = list(filter(None, papers))
    every = b"".join(found)
    if every.translate(None, bytes(range(candidates))):
        raise ValueError("a paper ranks a candidate who does not stand")
    if sum(map(len, map(frozenset, found))) < len(every):
        raise ValueError("a paper ranks a candidate twice")
    return found


def without(papers: Iterable[Paper], withdrawn: Iterable[int]) -> list[Paper]:
    """The papers as if these candidates had not stood, less those that ranked nobody else."""
    gone = bytes(withdrawn)
    if not gone:
        return list(papers)
    return list(filter(None, (paper.translate(None, gone) for paper in papers)))


def by_next(papers: Sequence[Paper], gone: bytes) -> dict[int | None, list[Paper]]:
    """The papers by the first candidate who is not `gone`, without those who are; None has nobody.

    >>> by_next([b"AC", b"BA", b"B"], gone=b"B") == {ord("A"): [b"AC", b"A"], None: [b""]}
    True
    """
    if not papers:
        return {}
    left = papers
    if gone:
        left = _BETWEEN.join(papers).translate(None, gone).split(_BETWEEN)
    piles: list[list[Paper]] = [[] for _ in range(_NOBODY + 1)]
    put = [pile.append for pile in piles]
    for paper in left:
        put[paper[0] if paper else _NOBODY](paper)
    found: dict[int | None, list[Paper]] = {one: pile for one, pile in enumerate(piles) if pile}
    if _NOBODY in found:
        found[None] = found.pop(_NOBODY)
    return found
