"""Ballot papers that rank candidates, and how they are sorted into piles.

A paper is `bytes`: the places of the candidates in the list of the contest, the most wanted first,
one byte each and none twice. So a pile of a million is cut and sorted by a few calls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

Paper = bytes

MOST_CANDIDATES: Final = 250
_BETWEEN: Final = b"\xff"  # no candidate has this place


def checked(papers: Iterable[Paper], candidates: int) -> list[Paper]:
    """The papers that rank anybody. Raises ValueError for one that names nobody's place or a place
    twice: such a paper must have been refused when it was cast.
    """
    if not 0 < candidates <= MOST_CANDIDATES:
        raise ValueError(f"there are {candidates} candidates; from 1 to {MOST_CANDIDATES} can be")
    found = [paper for paper in papers if paper]
    if found and max(map(max, found)) >= candidates:
        raise ValueError("a paper ranks a candidate who does not stand")
    if any(map(_has_twice, found)):
        raise ValueError("a paper ranks a candidate twice")
    return found


def _has_twice(paper: Paper) -> bool:
    return len(set(paper)) < len(paper)


def without(papers: Iterable[Paper], withdrawn: Iterable[int]) -> list[Paper]:
    """The papers as if these candidates had not stood; one that ranked nobody else is empty."""
    gone = bytes(withdrawn)
    return [paper.translate(None, gone) for paper in papers]


def by_next(papers: Sequence[Paper], gone: bytes) -> dict[int | None, list[Paper]]:
    """The papers by the first candidate who is not `gone`, without those who are; None has nobody.

    >>> by_next([bytes([0, 2]), bytes([1, 0]), bytes([1])], gone=bytes([1]))
    {0: [b'\\x00\\x02', b'\\x00'], None: [b'']}
    """
    if not papers:
        return {}
    found: defaultdict[bytes, list[Paper]] = defaultdict(list)
    for paper in _BETWEEN.join(papers).translate(None, gone).split(_BETWEEN):
        found[paper[:1]].append(paper)
    return {(first[0] if first else None): pile for first, pile in found.items()}
