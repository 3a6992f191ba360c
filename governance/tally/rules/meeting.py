"""How a body is called together, and who votes in its meetings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class MeetingRule:
    notice_days: int = 0  # whole days from the announcement to the day of the meeting; 0: none
    absent_may_vote: bool = False  # by a proxy, or in writing beforehand

    def earliest(self, announced: date) -> date:
        """The first day for which a meeting that is announced then has its notice."""
        return announced + timedelta(days=self.notice_days)
