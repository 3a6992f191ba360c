"""Deciding without a meeting and without a vote, by signatures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from governance.tally.rules.counting import Rules, yes_needed
from governance.tally.rules.majority import PassBase


class Consent(StrEnum):
    NONE = "none"  # this body does not decide in writing
    UNANIMOUS = "unanimous"  # all who are in office sign
    AS_IF_PRESENT = "as_if_present"  # as many as would carry it if all were present and voted


@dataclass(frozen=True, slots=True)
class ConsentRule:
    consent: Consent = Consent.NONE
    days: int = 60  # from the first signature to the last; 0: without limit
    notice: bool = True  # those who did not sign are told at once

    def signatures_needed(self, rules: Rules, *, seats: int, filled: int) -> int | None:
        """Of `filled` signers of a body of `seats`; None: it does not decide in writing.

        As if all were present and voted: whoever does not sign is taken as a vote against.
        """
        if self.consent is Consent.NONE:
            return None
        if self.consent is Consent.UNANIMOUS:
            return max(1, filled)
        base = seats if rules.pass_base is PassBase.FIXED else filled
        fewest = (
            yes
            for yes in range(1, filled + 1)
            if yes >= yes_needed(rules, base=base, no=filled - yes)
        )
        return next(fewest, filled + 1)

    def closes_at(self, first_signature: datetime) -> datetime | None:
        """Until when a signature still counts; None: for ever."""
        return first_signature + timedelta(days=self.days) if self.days else None
