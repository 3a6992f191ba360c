"""How long a motion is discussed before its vote, and when it is forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Discussion:
    seconds_needed: int = 1  # how many others have to second it
    days: int = 0  # from the beginning of the discussion to the opening of the vote
    restarts: bool = False  # an accepted amendment begins the days anew
    lapses_after_weeks: int = 0  # without any act on it; 0: never

    def vote_from(self, begun: datetime, accepted: Iterable[datetime] = ()) -> datetime:
        """The first moment at which the vote may open; `accepted`: when amendments were."""
        counted = [begun, *accepted] if self.restarts else [begun]
        return max(counted) + timedelta(days=self.days)

    def lapses_at(self, last_act: datetime) -> datetime | None:
        """When nobody touched it for too long; None: it waits for ever."""
        if not self.lapses_after_weeks:
            return None
        return last_act + timedelta(weeks=self.lapses_after_weeks)
