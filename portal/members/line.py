"""How the paid times of one support follow each other; pure.

A line is a sign-up with everything that renewed it. Where each of its terms lies follows from the
payments alone: whichever of them came to be known first, the outcome is the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from portal.members.terms import add_months

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Bought:
    """What one order paid for; `net` is its price without tax, in minor units."""

    key: int
    paid_at: datetime
    months: int
    net: int
    upgrades: bool = False  # begins with its payment, and ends what ran before
    is_void: bool = False  # its money went back
    is_last: bool = False  # it was cancelled: no grace after it


@dataclass(frozen=True, slots=True)
class Place:
    starts_at: datetime
    ends_at: datetime
    grace_until: datetime
    follows: int | None = None  # the key of the one that it renews
    replaced_at: datetime | None = None  # an upgrade took its place


def places(bought: Iterable[Bought], grace: timedelta) -> dict[int, Place]:
    """Where each lies.

    What is paid while the one before runs, or in the grace after it, begins where that ends: there
    was no gap. What is paid later begins with its payment: nothing was given between. An upgrade
    begins with its payment, and what is left of the ones before becomes days of its own.
    """
    found: dict[int, Place] = {}
    held: list[Bought] = []
    for one in sorted(bought, key=lambda one: (one.paid_at, one.key)):
        before = [(earlier, found[earlier.key]) for earlier in held]
        upgrades = one.upgrades and bool(before) and before[-1][1].ends_at > one.paid_at
        place = _upgrade(one, before, grace) if upgrades else _renewal(one, before, grace)
        found[one.key] = place
        if one.is_void:
            continue
        if upgrades:
            held = _replace(found, before, place.starts_at)
        held.append(one)
    return {key: _shown(key, place, found) for key, place in found.items()}


def left_of(before: Iterable[tuple[Bought, Place]], at: datetime) -> int:
    """What is not used up of them at a moment, in minor units."""
    return sum(_left(one, place, at) for one, place in before)


def bonus(left: int, net: int, length: timedelta) -> timedelta:
    """Whole days that `left` is worth of something that costs `net` for `length`."""
    return (length * left // net) // DAY * DAY


def _left(one: Bought, place: Place, at: datetime) -> int:
    length = place.ends_at - place.starts_at
    rest = place.ends_at - max(place.starts_at, at)
    return one.net * max(rest, timedelta(0)) // length


def _renewal(one: Bought, before: list[tuple[Bought, Place]], grace: timedelta) -> Place:
    start = one.paid_at
    follows = None
    if before:
        last, place = before[-1]
        follows = last.key
        late = place.ends_at if last.is_last else place.grace_until
        start = place.ends_at if one.paid_at < late else one.paid_at
    end = add_months(start, one.months)
    return Place(start, end, end + grace, follows)


def _upgrade(one: Bought, before: list[tuple[Bought, Place]], grace: timedelta) -> Place:
    end = add_months(one.paid_at, one.months)
    end += bonus(left_of(before, one.paid_at), one.net, end - one.paid_at)
    return Place(one.paid_at, end, end + grace, before[-1][0].key)


def _replace(
    found: dict[int, Place], before: list[tuple[Bought, Place]], at: datetime
) -> list[Bought]:
    """End what still runs or is to come; the others stay."""
    for one, place in before:
        if place.ends_at > at:
            found[one.key] = replace(place, replaced_at=max(place.starts_at, at))
    return [one for one, place in before if place.ends_at <= at]


def _shown(key: int, place: Place, found: dict[int, Place]) -> Place:
    """The grace ends where the next one begins, also where the money of that went back since."""
    begins = [other.starts_at for other in found.values() if other.follows == key]
    until = min([place.grace_until, *(max(place.ends_at, start) for start in begins)])
    return replace(place, grace_until=until)
