"""Who of the members is on the roll of a vote."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class Activity(StrEnum):
    """What a member has to have done, so that a quorum does not count the sleeping."""

    NONE = "none"
    AFFIRMED = "affirmed"  # said in the last months that they want to vote
    VOTED = "voted"  # voted last time they could
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class Membership:
    record_days: int = 0  # the roll is that of so many days before the vote opens
    activity: Activity = Activity.NONE
    affirmation_months: int = 12

    def record_date(self, opens: date) -> date:
        return opens - timedelta(days=self.record_days)

    def is_active(self, on: date, *, affirmed_on: date | None, voted_last: bool) -> bool:
        """Whether a member counts as voting; who could not vote yet counts as having voted."""
        affirmed = affirmed_on is not None and self.affirmed_until(affirmed_on) > on
        return {
            Activity.NONE: True,
            Activity.AFFIRMED: affirmed,
            Activity.VOTED: voted_last,
            Activity.EITHER: affirmed or voted_last,
        }[self.activity]

    def affirmed_until(self, affirmed_on: date) -> date:
        """The same day so many months later, or the last of a month that has no such day."""
        years, month = divmod(affirmed_on.month - 1 + self.affirmation_months, 12)
        year = affirmed_on.year + years
        day = min(affirmed_on.day, monthrange(year, month + 1)[1])
        return date(year, month + 1, day)
