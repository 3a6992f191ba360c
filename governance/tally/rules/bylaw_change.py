"""The longer way of a change of the bylaws."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum


class MemberVote(StrEnum):
    """Who else has to agree; they vote by the rules of their own class for the same subject."""

    NONE = "none"
    CONTRIBUTORS = "contributors"
    MEMBERS = "members"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class BylawChange:
    notice_days: int = 0  # from the letter to those who decide to the opening of the vote
    public_discussion_days: int = 0  # in which anybody reads and members comment
    member_vote: MemberVote = MemberVote.NONE
    effective_after_days: int = 0  # from the last vote to the day it is in force

    def vote_from(self, proposed: datetime, published: datetime | None = None) -> datetime:
        """The first moment at which the body may vote on it."""
        notice = proposed + timedelta(days=self.notice_days)
        return max(notice, (published or proposed) + timedelta(days=self.public_discussion_days))

    def effective_on(self, decided: date) -> date:
        return decided + timedelta(days=self.effective_after_days)
