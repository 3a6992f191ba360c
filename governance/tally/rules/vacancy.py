"""What happens to a seat whose holder leaves before the end of the term."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class FilledBy(StrEnum):
    BODY = "body"  # the remaining members of the body appoint
    SAME_CLASS = "same_class"  # the remaining members elected by the same constituency appoint
    SPECIAL_ELECTION = "special_election"
    COUNTBACK = "countback"  # the ballots of the last election are counted without the leaver
    NOBODY = "nobody"  # it stays vacant until the next election


class VacancyTerm(StrEnum):
    REST_OF_TERM = "rest_of_term"
    NEXT_ELECTION = "next_election"
    FULL_TERM = "full_term"


@dataclass(frozen=True, slots=True)
class Vacancy:
    filled_by: FilledBy = FilledBy.BODY
    term: VacancyTerm = VacancyTerm.REST_OF_TERM
    days: int = 0  # within which it is to be filled; 0: no limit

    def due_on(self, vacant_since: date) -> date | None:
        """The day by which it is to be filled."""
        if not self.days or self.filled_by is FilledBy.NOBODY:
            return None
        return vacant_since + timedelta(days=self.days)
