"""From the rows of a motion to its arithmetic: the roster, the votes and the pinned rules.

For several motions at once, fetch them with `Motion.objects.with_votes()`.
"""

from governance.models import Motion, RosterSeat, RuleSet
from governance.tally import report as tally
from governance.tally import rollcall


def places(roster: list[RosterSeat]) -> list[rollcall.Place]:
    return [
        rollcall.Place(
            seat=seat.number,
            is_filled=seat.user_id is not None,
            has_casting_vote=seat.has_casting_vote,
        )
        for seat in roster
    ]


def casts(roster: list[RosterSeat]) -> list[rollcall.Cast]:
    return [
        rollcall.Cast(seat.number, vote.pk, rollcall.Choice(vote.choice))
        for seat in roster
        for vote in seat.votes.all()
    ]


def count(motion: Motion) -> rollcall.Count:
    roster = list(motion.roster.all())
    return rollcall.count(places(roster), casts(roster))


def standing(motion: Motion) -> list[tuple[RosterSeat, rollcall.Standing]]:
    """The roll call: how each seat stands, by number."""
    roster = list(motion.roster.all())
    stands = rollcall.stand(places(roster), casts(roster))
    return [(seat, stands[seat.number]) for seat in roster]


def report(motion: Motion) -> tally.Report:
    """The whole arithmetic, as it stands with the votes that were given."""
    return tally.report(count(motion), _rule_set(motion).rules)


def is_settled(motion: Motion) -> bool:
    """Whether no vote to come can change the outcome, those given being kept."""
    stands = standing(motion)
    chair_is_absent = any(
        seat.has_casting_vote and stand is rollcall.Standing.ABSENT for seat, stand in stands
    )
    return tally.is_settled(count(motion), _rule_set(motion).rules, chair_is_absent=chair_is_absent)


def _rule_set(motion: Motion) -> RuleSet:
    if motion.rule_set is None:
        raise ValueError("a draft has no arithmetic: its vote was never opened")
    return motion.rule_set
