"""A question to voters: yes, no, or a blank paper, which abstains.

Two candidates: what is proposed, then the default option, what is if the proposal fails. A paper
marks one of them. The proposal needs more yes than no, and at least the ratio of the contest; who
abstains takes part and counts for neither side. A tie is the default option's: no lot is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from governance.tally.papers import Paper

METHOD: Final = "yes-no"
PROPOSAL: Final = 0
DEFAULT: Final = 1
OPTIONS: Final = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """How many said what, and how many yes were needed."""

    yes: int
    no: int
    needed: int  # for so many no
    withdrawn: bool = False  # the proposal: the default option is what is left
    method: str = METHOD

    @property
    def valid(self) -> int:
        return self.yes + self.no

    @property
    def is_carried(self) -> bool:
        return not self.withdrawn and self.yes >= self.needed

    @property
    def elected(self) -> tuple[int, ...]:
        return (PROPOSAL if self.is_carried else DEFAULT,)


def count(
    papers: Sequence[Paper],
    *,
    candidates: int,
    ratio: tuple[int, int] = (1, 1),
    withdrawn: Collection[int] = (),
) -> Answer:
    """Count the answers; `ratio` is (yes, no): at least so many yes for so many no.

    Raises ValueError for a paper that marks not exactly one, for other options than two, and where
    the default option has withdrawn: something has to be when a proposal fails.
    """
    if candidates != OPTIONS:
        raise ValueError("a question has two options: the proposal, and what is without it")
    if DEFAULT in withdrawn:
        raise ValueError("the default option of a question cannot be withdrawn")
    if min(ratio) < 1:
        raise ValueError("a ratio is made of numbers from 1")
    marked = list(filter(None, papers))
    yes, no = (marked.count(bytes([one])) for one in (PROPOSAL, DEFAULT))
    if yes + no < len(marked):
        raise ValueError("a paper marks one of two options")
    return Answer(yes, no, yes_needed(no, ratio), PROPOSAL in withdrawn)


def yes_needed(no: int, ratio: tuple[int, int]) -> int:
    """More than so many no, and not fewer than the ratio asks, rounded up."""
    above, below = ratio
    return max(no + 1, -(-no * above // below))
