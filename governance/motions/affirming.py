"""Until when what a person affirmed counts, by the rules that ask for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone

from governance.models import Affirmation, RuleSet
from governance.motions import franchise
from governance.tally.rules import Activity
from portal.accounts.models import User


@dataclass(frozen=True, slots=True)
class OwnVote:
    """A vote of members that the person casts. `until` is the first day on which some rule asks
    for it anew; None where it was never affirmed, or no rule asks.
    """

    key: str
    name: str
    last: date | None
    until: date | None
    is_needed: bool


def asking(on: date) -> list[RuleSet]:
    """The rules in force that ask members to affirm."""
    in_force = RuleSet.objects.in_force(on).select_related("body")
    return list(in_force.filter(activity__in=[Activity.AFFIRMED, Activity.EITHER]))


def own_votes(user: User, rules: Iterable[RuleSet], at: datetime) -> list[OwnVote]:
    """Each with whether to affirm it now."""
    votes = franchise.own_votes(user, at)
    last = Affirmation.objects.last_days([each.key for each in votes], at)
    asked, today = [each.membership for each in rules], timezone.localdate(at)
    told = []
    for vote in votes:
        day = last.get(vote.key)
        ends = [rule.affirmed_until(day) for rule in asked] if day else []
        until = min(ends, default=None)
        is_needed = bool(asked) and (until is None or until <= today)
        told.append(OwnVote(vote.key, vote.name, day, until, is_needed))
    return told
