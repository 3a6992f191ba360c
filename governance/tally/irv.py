"""Instant-runoff voting: one seat; who has fewest votes leaves until somebody has more than half.

Half of the papers that still rank somebody, not of all; a paper counts wholly for one candidate.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from governance.tally.papers import Paper, by_next, without
from governance.tally.stages import Stage, Step, Tally
from governance.tally.ties import Lot, Tie, choose

METHOD: Final = "irv"


def count(
    papers: Sequence[Paper], *, candidates: int, lot: Lot, withdrawn: Collection[int] = ()
) -> Tally:
    """Elect one of so many candidates. The order of the papers does not matter.

    `papers` are as `papers.checked` makes them; it is counted as if those who have `withdrawn` had
    not stood. Raises ValueError where nobody stands.
    """
    valid = without(papers, withdrawn)
    piles: dict[int, list[Paper]] = {one: [] for one in range(candidates) if one not in withdrawn}
    if not piles:
        raise ValueError("nobody stands")
    stages: list[Stage] = []
    moving, excluded, tie = valid, None, None
    exhausted = 0
    while True:
        gone = bytes(one for one in range(candidates) if one not in piles)
        for one, pile in by_next(moving, gone).items():
            if one is None:
                exhausted += len(pile)
            else:
                piles[one] += pile
        votes = tuple(len(piles.get(one, ())) for one in range(candidates))
        majority = (len(valid) - exhausted) // 2 + 1
        reached = [one for one in piles if votes[one] >= majority or len(piles) == 1]
        step = Step.FIRST if excluded is None else Step.EXCLUSION
        ties: tuple[Tie, ...] = (tie,) if tie else ()
        stages.append(Stage(step, votes, majority, exhausted, 0, excluded, tuple(reached), ties))
        if reached:
            return Tally(METHOD, 1, len(valid), 1, tuple(stages))
        fewest = min(votes[one] for one in piles)
        equal = [one for one in sorted(piles) if votes[one] == fewest]
        excluded, tie = choose(equal, [stage.votes for stage in stages], lot, highest=False)
        moving = piles.pop(excluded)
