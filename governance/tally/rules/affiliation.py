"""How many seats of a body one employer may hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from governance.tally.rules.majority import ceiling


class CapShare(StrEnum):
    NONE = ""
    QUARTER = "quarter"
    THIRD = "third"
    HALF = "half"
    MINORITY = "minority"  # less than half


CAP_SHARES = {
    CapShare.QUARTER: Fraction(1, 4),
    CapShare.THIRD: Fraction(1, 3),
    CapShare.HALF: Fraction(1, 2),
}


@dataclass(frozen=True, slots=True)
class AffiliationCap:
    share: CapShare = CapShare.NONE
    seats: int = 0  # a number of seats; 0: no such limit

    def most(self, voting_seats: int) -> int | None:
        """How many of these seats one employer may hold; None: as many as it likes.

        The lower of the two limits. A share is rounded down, and never below one seat.
        """
        limits = [self.seats] if self.seats else []
        if self.share is CapShare.MINORITY:
            limits.append(max(1, ceiling(Fraction(voting_seats, 2)) - 1))
        elif self.share is not CapShare.NONE:
            limits.append(max(1, int(CAP_SHARES[self.share] * voting_seats)))
        return min(limits) if limits else None
