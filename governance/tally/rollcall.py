"""The roll call of a named vote: which vote of each seat stands, and how many there are of each.

Vacant, absent, recused and abstaining are four different things:

- *vacant*: nobody holds the seat;
- *absent*: somebody holds it and said nothing;
- *recused*: the holder said that they take no part;
- *abstain*: the holder took part and favours neither side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Choice(StrEnum):
    """What a voter can say."""

    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"
    RECUSE = "recuse"


class Standing(StrEnum):
    """How a seat stands at the end of the vote."""

    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"
    RECUSED = "recused"
    ABSENT = "absent"
    VACANT = "vacant"


STANDINGS = {
    Choice.YES: Standing.YES,
    Choice.NO: Standing.NO,
    Choice.ABSTAIN: Standing.ABSTAIN,
    Choice.RECUSE: Standing.RECUSED,
}


PARTS = tuple(standing.value for standing in Standing)  # the numbers of a `Count`


@dataclass(frozen=True, slots=True)
class Place:
    """A voting seat when the vote opened."""

    seat: int
    is_filled: bool = True
    has_casting_vote: bool = False
    constituency: str = ""


@dataclass(frozen=True, slots=True)
class Cast:
    """One act of voting. Of a seat's casts the one with the highest sequence stands."""

    seat: int
    sequence: int
    choice: Choice


@dataclass(frozen=True, slots=True)
class Count:
    """How many seats stand how; the six parts add up to `seats`."""

    yes: int = 0
    no: int = 0
    abstain: int = 0
    recused: int = 0
    absent: int = 0
    vacant: int = 0
    casting: Choice | None = None  # what the holder of the casting vote chose, if they voted
    lot: Choice | None = None  # what was drawn, where a tie is decided by lot and the vote is over

    @property
    def seats(self) -> int:
        return self.filled + self.vacant

    @property
    def filled(self) -> int:
        return self.voted + self.recused + self.absent

    @property
    def voted(self) -> int:
        """Those who took part: yes, no and abstentions."""
        return self.yes + self.no + self.abstain


def stand(places: Iterable[Place], casts: Iterable[Cast]) -> dict[int, Standing]:
    """How each seat stands, in the order of `places`; the order of `casts` does not matter.

    Raises ValueError for a cast of a seat that is vacant or not on the roster: such a vote must
    have been refused before.
    """
    standing = {
        place.seat: Standing.ABSENT if place.is_filled else Standing.VACANT for place in places
    }
    for cast in sorted(casts, key=lambda cast: cast.sequence):
        if standing.get(cast.seat, Standing.VACANT) is Standing.VACANT:
            raise ValueError(f"seat {cast.seat} has no voter on the roster")
        standing[cast.seat] = STANDINGS[cast.choice]
    return standing


def count(places: Iterable[Place], casts: Iterable[Cast]) -> Count:
    """Count a roll call: every seat once, whatever its history."""
    known = list(places)
    standing = stand(known, casts)
    numbers = Counter(standing.values())
    chair = next((standing[place.seat] for place in known if place.has_casting_vote), None)
    return Count(
        yes=numbers[Standing.YES],
        no=numbers[Standing.NO],
        abstain=numbers[Standing.ABSTAIN],
        recused=numbers[Standing.RECUSED],
        absent=numbers[Standing.ABSENT],
        vacant=numbers[Standing.VACANT],
        casting=Choice(chair.value) if chair in {Standing.YES, Standing.NO} else None,
    )


def count_classes(places: Iterable[Place], casts: Iterable[Cast]) -> dict[str, Count]:
    """The same count for each constituency apart, in the order in which `places` name them."""
    seats: dict[str, list[Place]] = {}
    of_seat: dict[int, str] = {}
    for place in places:
        seats.setdefault(place.constituency, []).append(place)
        of_seat[place.seat] = place.constituency
    said: dict[str, list[Cast]] = {name: [] for name in seats}
    for cast in casts:
        said[of_seat[cast.seat]].append(cast)
    return {name: count(mine, said[name]) for name, mine in seats.items()}
