"""Who is on the roster of a motion and how each stands; of members there may be thousands.

A body is few and read whole. The roll of members is counted by the database, and read in pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import reduce
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import TruncDate

from governance.models import Motion, RosterSeat, Vote
from governance.models.roster import voter_label
from governance.tally import rollcall
from governance.tally.rollcall import Choice, Standing

VOTES = Vote.objects.filter(voter=OuterRef("pk"))
SHOWN = 60  # so many stand on the page of the motion; a longer roll has a page of its own


def roster(motion: Motion) -> list[RosterSeat]:
    """All of it with the votes, in order; that of a body `with_votes()` has fetched before."""
    fetched: list[RosterSeat] | None = getattr(motion, "seats", None)
    if fetched is not None and motion.electorate == Motion.Electorate.BODY:
        return fetched
    return list(motion.roster.prefetch_related("votes"))


def is_long(motion: Motion) -> bool:
    """Whether it is too long for the page of the motion."""
    if motion.electorate == Motion.Electorate.BODY or motion.opened_at is None:
        return False
    return motion.roster.count() > SHOWN


def standing(motion: Motion) -> QuerySet[RosterSeat]:
    """The places with the vote that stands as `last`; None for who has not voted."""
    given = VOTES.order_by("-pk").values("choice")
    return motion.roster.annotate(last=Subquery(given[:1])).order_by("number")


def found(motion: Motion, *, words: str = "", missing: bool | None = None) -> QuerySet[RosterSeat]:
    """Of the roll those with these words in name or affiliation; only who has (not) taken part."""
    rows = standing(motion).exclude(user=None)
    if words:
        rows = rows.filter(Q(name__icontains=words) | Q(affiliation__icontains=words))
    return (
        rows if missing is None else rows.filter(Exists(VOTES) if not missing else ~Exists(VOTES))
    )


def stands(row: RosterSeat) -> Standing:
    """How a place of `standing()` stands."""
    return _stands(getattr(row, "last", None), row.user_id)


def _stands(last: str | None, user: int | None) -> Standing:
    if last is not None:
        return rollcall.STANDINGS[Choice(last)]
    return Standing.VACANT if user is None else Standing.ABSENT


def roll_call(motion: Motion) -> list[dict[str, Any]]:
    """How each place stands, for programs. No object is made of a row: of 10,000 it took 1.2 s."""
    rows: Any = standing(motion)
    columns = rows.values_list(
        "number", "name", "affiliation", "organisation_id", "user_id", "last"
    )
    return [
        {
            "seat": number,
            "name": voter_label(name, affiliation, organisation) if name else None,
            "vote": _stands(last, user).value,
        }
        for number, name, affiliation, organisation, user, last in columns
    ]


def has_voted(motion: Motion) -> list[int]:
    """The places from which a vote has come, while nobody is told which."""
    return list(found(motion, missing=False).values_list("number", flat=True))


def count(motion: Motion) -> rollcall.Count:
    """As `rollcall.count`, by the database. Nobody on a roll has a casting vote."""
    return total(classes(motion))


def classes(motion: Motion) -> dict[str, rollcall.Count]:
    """The same for each constituency apart."""
    rows = standing(motion).annotate(vacant=Q(user=None)).order_by()
    grouped: Any = rows.values("constituency", "last", "vacant")
    found: dict[str, rollcall.Count] = defaultdict(rollcall.Count)
    for row in grouped.annotate(places=Count("pk")):
        found[row["constituency"]] = add(found[row["constituency"]], counted(row))
    return dict(sorted(found.items()))


def counted(row: dict[str, Any]) -> rollcall.Count:
    """So many places that stand alike."""
    if row["last"] is not None:
        part = rollcall.STANDINGS[Choice(row["last"])]
    else:
        part = Standing.VACANT if row["vacant"] else Standing.ABSENT
    decides = row.get("has_casting_vote") and part in {Standing.YES, Standing.NO}
    casting = Choice(row["last"]) if decides else None
    return replace(rollcall.Count(casting=casting), **{part.value: row["places"]})


def add(one: rollcall.Count, other: rollcall.Count) -> rollcall.Count:
    parts = {name: getattr(one, name) + getattr(other, name) for name in rollcall.PARTS}
    return replace(rollcall.Count(casting=one.casting or other.casting), **parts)


def total(classes: Mapping[str, rollcall.Count]) -> rollcall.Count:
    return reduce(add, classes.values(), rollcall.Count())


def votes_by_day(motion: Motion) -> Iterable[tuple[datetime, int]]:
    return by_day(Vote.objects.filter(voter__motion=motion), "cast_at")


def by_day(acts: QuerySet[Any], moment: str) -> Iterable[tuple[datetime, int]]:
    """How many acts a day has, with the moment of its last one."""
    days = acts.order_by().annotate(day=TruncDate(moment)).values("day")
    counted = days.annotate(at=Max(F(moment)), acts=Count("pk")).order_by("day")
    return [(row["at"], row["acts"]) for row in counted]


def signing(motion: Motion, signed: QuerySet[Any], *, words: str = "") -> QuerySet[RosterSeat]:
    """The signers with these words in their names, each with `has_signed`."""
    rows = motion.roster.exclude(user=None).annotate(has_signed=Q(pk__in=signed))
    if words:
        rows = rows.filter(Q(name__icontains=words) | Q(affiliation__icontains=words))
    return rows.order_by("number")
