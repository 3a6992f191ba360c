"""What the pages show that open a vote or ask for signatures: who will be asked, by which rules."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from governance.actions.roster import would_vote
from governance.bylaws.classes import would_be_asked
from governance.models import Amendment, Motion, RuleSet
from governance.motions import rolls
from governance.motions.counting import counting_rules
from governance.tally.rules import quorum_needed


def opening_context(motion: Motion, own: RuleSet, at: datetime) -> dict[str, Any]:
    """`own` are the rules of the body that brings it to the vote."""
    rules = counting_rules(motion, own, at)
    told = {
        "asked_after": [each.label for each in would_be_asked(motion, own)],
        "unanswered": motion.amendments.filter(state=Amendment.State.OPEN).count(),
    }
    if motion.electorate == Motion.Electorate.BODY:
        places = motion.body.seats.voting().places(timezone.localdate(at))
        return {"rules": rules, "places": places, **told}
    size = len(would_vote(motion, rules, at))
    return {
        "rules": rules,
        "roll_size": size,
        "quorum": quorum_needed(rules.rules.quorum, size) if size else 0,
        **_last_turnout(motion),
        **told,
    }


def _last_turnout(motion: Motion) -> dict[str, Any]:
    """How many took part when the same roll was asked last: whether a quorum can be hoped for."""
    decided = Motion.objects.filter(
        electorate=motion.electorate, way=Motion.Way.VOTE, decided_at__isnull=False
    )
    last = decided.order_by("-decided_at").first()
    if last is None:
        return {}
    counted = rolls.count(last)
    return {
        "last_vote": last,
        "last_voted": counted.voted + counted.recused,
        "last_size": counted.filled,
    }
