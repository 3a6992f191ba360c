"""A Scottish count as one writes it first: a list of names on each paper, its value beside it."""

from __future__ import annotations

from collections.abc import Sequence

UNIT = 100_000


def elect(papers: Sequence[Sequence[str]], candidates: Sequence[str], seats: int) -> list[str]:
    """Who is elected. Ties are not looked into: whoever stands first in the list of names."""
    quota = (len(papers) // (seats + 1) + 1) * UNIT
    piles: dict[str, list[tuple[Sequence[str], int]]] = {name: [] for name in candidates}
    votes = dict.fromkeys(candidates, 0)
    continuing, elected, surpluses = set(candidates), list[str](), set[str]()

    def hand_on(paper: Sequence[str], value: int) -> None:
        for name in paper:
            if name in continuing:
                piles[name].append((paper, value))
                votes[name] += value
                return

    for paper in papers:
        hand_on(paper, UNIT)
    while len(elected) < seats:
        reached = sorted(
            (name for name in continuing if votes[name] >= quota), key=lambda name: -votes[name]
        )
        elected += reached
        continuing -= set(reached)
        surpluses |= {name for name in reached if votes[name] > quota}
        if len(continuing) <= seats - len(elected):
            elected += sorted(continuing, key=lambda name: -votes[name])
            break
        if len(elected) >= seats:
            break
        if surpluses:
            name = max(sorted(surpluses), key=votes.__getitem__)
            surpluses.remove(name)
            had, surplus = votes[name], votes[name] - quota
            moving, piles[name], votes[name] = piles[name], [], quota
            for paper, value in moving:
                hand_on(paper, surplus * value // had)
        else:
            name = min(sorted(continuing), key=votes.__getitem__)
            continuing.remove(name)
            moving, piles[name], votes[name] = piles[name], [], 0
            for paper, value in moving:
                hand_on(paper, value)
    return elected
