"""From the rows of a motion to its arithmetic: the roster, the votes and the pinned rules.

For several motions at once, fetch them with `Motion.objects.with_votes()`; for lists, which show
no votes but their numbers, with `listed.with_numbers()`.
"""

from dataclasses import replace

from governance.models import Motion, RosterSeat, RuleSet
from governance.motions import rolls
from governance.tally import lot as lots
from governance.tally import report as tally
from governance.tally import rollcall, settled
from governance.tally.rules import Tie


def places(roster: list[RosterSeat]) -> list[rollcall.Place]:
    return [
        rollcall.Place(
            seat=seat.number,
            is_filled=seat.user_id is not None,
            has_casting_vote=seat.has_casting_vote,
            constituency=seat.constituency,
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
    if (known := _known(motion)) is not None:
        return rolls.total(known)
    if motion.electorate != Motion.Electorate.BODY:
        return rolls.count(motion)
    roster = rolls.roster(motion)
    return rollcall.count(places(roster), casts(roster))


def standing(motion: Motion) -> list[tuple[RosterSeat, rollcall.Standing]]:
    """The roll call: how each seat stands, by number."""
    roster = rolls.roster(motion)
    stands = rollcall.stand(places(roster), casts(roster))
    return [(seat, stands[seat.number]) for seat in roster]


def classes(motion: Motion) -> dict[str, rollcall.Count]:
    """The count of each constituency, where the rules ask for a majority of each."""
    if not _rule_set(motion).per_class:
        return {}
    is_body = motion.electorate == Motion.Electorate.BODY
    if (known := _known(motion)) is not None:
        return known if is_body else dict(sorted(known.items()))
    if not is_body:
        return rolls.classes(motion)
    roster = rolls.roster(motion)
    return rollcall.count_classes(places(roster), casts(roster))


def report(motion: Motion) -> tally.Report:
    """The whole arithmetic, as it stands with the votes that were given."""
    counted = replace(count(motion), lot=lot(motion))
    return tally.report(counted, _rule_set(motion).rules, classes=classes(motion))


def lot(motion: Motion) -> rollcall.Choice | None:
    """What the lot says with these votes; None where the rules draw none."""
    seed = lot_seed(motion)
    return lots.draw(seed) if seed else None


def lot_seed(motion: Motion) -> str:
    """The seed of the lot, that everybody computes again when the vote is over; or nothing."""
    if _rule_set(motion).tie != Tie.LOT:
        return ""
    stands = {seat.number: stand for seat, stand in standing(motion)}
    return lots.seed(motion.lot.secret, motion.text_sha256, stands)


def is_settled(motion: Motion) -> bool:
    """Whether no vote to come can change the outcome, those given being kept."""
    stands = standing(motion)
    chair_is_absent = any(
        seat.has_casting_vote and stand is rollcall.Standing.ABSENT for seat, stand in stands
    )
    return settled.is_settled(
        count(motion),
        _rule_set(motion).rules,
        classes=classes(motion),
        chair_is_absent=chair_is_absent,
    )


def _known(motion: Motion) -> dict[str, rollcall.Count] | None:
    """The counts that `listed.with_numbers` has read."""
    return getattr(motion, "counts", None)


def _rule_set(motion: Motion) -> RuleSet:
    if motion.rule_set is None:
        raise ValueError("a draft has no arithmetic: its vote was never opened")
    return motion.rule_set
