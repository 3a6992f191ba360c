"""Motions as lists show them: the numbers of all of them in a fixed number of queries.

`Motion.objects.for_lists()` reads the columns that a list shows; `with_numbers()` adds what
`results.count`, `results.classes` and `progress` would otherwise ask for each motion apart. Votes
are grouped by the database: of a roll of thousands only a few rows come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, OuterRef, Prefetch, Q, Subquery, prefetch_related_objects

from governance.models import Consensus, Motion, RosterSeat, Signature, Vote
from governance.models.motion_queryset import body_rosters
from governance.motions import rolls
from governance.tally.rollcall import Count as Numbers
from governance.tally.rules import Tie


def with_numbers(motions: Iterable[Motion], at: datetime) -> list[Motion]:
    """The same motions, each knowing its numbers; passages taken out of sight are read too."""
    found = list(motions)
    prefetch_related_objects(found, "redactions")
    opened = [motion for motion in found if motion.opened_at is not None]
    _count(opened)
    _count_signatures([motion for motion in opened if _is_signed(motion)], at)
    _read_lots([motion for motion in opened if motion.is_counted])
    _read_consensuses(found)
    return found


def with_scores(motions: Iterable[Motion]) -> list[Motion]:
    """The same motions; those that a vote decided know how it was counted."""
    found = list(motions)
    _count([motion for motion in found if motion.is_counted and motion.is_decided])
    return found


def _is_signed(motion: Motion) -> bool:
    return motion.way == Motion.Way.CONSENT and not motion.is_decided


def _count(motions: list[Motion]) -> None:
    """`counts` of each: by constituency, in the order in which the roster names them."""
    asked = [motion for motion in motions if motion.is_counted or _is_signed(motion)]
    counts: dict[int, dict[str, Numbers]] = defaultdict(dict)
    for row in _rows(asked) if asked else ():
        of_motion, name = counts[row["motion"]], row["constituency"]
        of_motion[name] = rolls.add(of_motion.get(name, Numbers()), rolls.counted(row))
    for motion in asked:
        motion.counts = counts[motion.pk]


def _rows(motions: list[Motion]) -> Any:
    """How many places of a motion stand alike."""
    last = Vote.objects.filter(voter=OuterRef("pk")).order_by("-pk").values("choice")[:1]
    places = RosterSeat.objects.filter(motion__in=[motion.pk for motion in motions])
    told = places.order_by().annotate(last=Subquery(last), vacant=Q(user=None))
    alike = told.values("motion", "constituency", "last", "vacant", "has_casting_vote")
    return alike.annotate(places=Count("pk"), first=Min("number")).order_by("motion", "first")


def _count_signatures(motions: list[Motion], at: datetime) -> None:
    if not motions:
        return
    given = Signature.objects.filter(consent__motion__in=motions).standing(at)
    numbers: Any = given.order_by().values_list("consent__motion").annotate(Count("pk"))
    signed = dict(numbers)
    for motion in motions:
        motion.signed = signed.get(motion.pk, 0)


def _read_lots(motions: list[Motion]) -> None:
    """What a lot is drawn from, where the rules of a motion ask for one: each vote by itself."""
    drawn = [each for each in motions if each.rule_set and each.rule_set.tie == Tie.LOT]
    prefetch_related_objects(drawn, "lot", body_rosters())


def _read_consensuses(motions: list[Motion]) -> None:
    """What is being sought now, with what was said; `under_decision` told of which motions."""
    sought = [motion for motion in motions if getattr(motion, "sought_id", None)]
    running = Consensus.objects.running().prefetch_related("participants__positions")
    prefetch_related_objects(sought, Prefetch("consensuses", running, to_attr="being_sought"))
    for motion in motions:
        if getattr(motion, "sought_id", "") is None:
            motion.being_sought = []
