"""From a count and the rules to the outcome, with every line of the arithmetic.

A line says what it is (`Item`), a whole number, and which rule it comes from; words are the
page's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from governance.tally.rollcall import Choice, Count
from governance.tally.rules import (
    PassBase,
    QuorumBase,
    Rules,
    Threshold,
    Tie,
    by_threshold,
    quorum_needed,
    yes_needed,
)


class Outcome(StrEnum):
    ADOPTED = "adopted"
    FAILED = "failed"
    VOID = "void"  # no quorum: nothing was decided


class Item(StrEnum):
    """What a line of the arithmetic counts."""

    SEATS = "seats"
    VACANT = "vacant"
    IN_OFFICE = "in_office"
    PRESENT = "present"
    ABSENT = "absent"
    RECUSED = "recused"
    ABSTAINED = "abstained"
    BASE = "base"
    NO = "no"
    NEEDED = "needed"
    MINIMUM = "minimum"
    YES = "yes"
    CASTING = "casting"
    TOTAL = "total"


class Weight(StrEnum):
    """How a bookkeeper sets the line."""

    PLAIN = ""
    RESULT = "result"
    FINAL = "final"


class Rule(StrEnum):
    """The rule a line comes from; a rule set names its bylaw clause."""

    SEATS = "seats"
    QUORUM = "quorum"
    RECUSAL = "recusal"
    PASS = "pass"  # noqa: S105 - a rule, not a word to enter with
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Line:
    item: Item
    value: int  # negative: taken away
    weight: Weight = Weight.PLAIN
    met: bool | None = None
    rule: Rule | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a vote, and every number it follows from."""

    count: Count
    rules: Rules
    outcome: Outcome
    quorum_base: int
    quorum_needed: int
    quorum_got: int
    base: int
    needed: int
    got: int
    casting_vote: bool

    @property
    def has_quorum(self) -> bool:
        return self.quorum_got >= self.quorum_needed

    def lines(self) -> list[Line]:
        return [*_presence(self), *_base(self), *_majority(self)]


def report(count: Count, rules: Rules) -> Report:
    """Decide a vote that is over."""
    quorum_base = count.seats if rules.quorum_base is QuorumBase.FIXED else count.filled
    base = pass_base(count, rules)
    needed = yes_needed(rules, base=base, no=count.no)
    casting_vote = _is_tie(count, rules) and count.casting is Choice.YES
    got = count.yes + casting_vote
    quorum = quorum_needed(rules.quorum, quorum_base)
    present = count.voted + (count.recused if rules.recused_count_for_quorum else 0)
    if present < quorum:
        outcome = Outcome.VOID
    else:
        outcome = Outcome.ADOPTED if got >= needed else Outcome.FAILED
    return Report(
        count=count,
        rules=rules,
        outcome=outcome,
        quorum_base=quorum_base,
        quorum_needed=quorum,
        quorum_got=present,
        base=base,
        needed=needed,
        got=got,
        casting_vote=casting_vote,
    )


def pass_base(count: Count, rules: Rules) -> int:
    """What yes votes are measured against. A recusal is never a cast vote."""
    if rules.pass_base is PassBase.CAST:
        return count.yes + count.no
    whole = {
        PassBase.PRESENT: count.voted + count.recused,
        PassBase.FILLED: count.filled,
        PassBase.FIXED: count.seats,
    }[rules.pass_base]
    return whole - (count.recused if rules.recused_leave_base else 0)


def is_settled(count: Count, rules: Rules, *, chair_is_absent: bool = False) -> bool:
    """Whether nothing that the absent may still say changes the outcome.

    Every way in which they can divide is tried: few seats have few ways.
    """
    now = report(count, rules).outcome
    return all(
        report(end, rules).outcome == now for end in _ends(count, chair_is_absent=chair_is_absent)
    )


def _ends(count: Count, *, chair_is_absent: bool) -> Iterator[Count]:
    """Every count that can still come, when those who voted stay with it."""
    if chair_is_absent:
        left = replace(count, absent=count.absent - 1)
        for field in ("yes", "no", "abstain", "recused", "absent"):
            said = Choice(field) if field in {"yes", "no"} else None
            chair = replace(left, **{field: getattr(left, field) + 1}, casting=said)
            yield from _divided(chair, left.absent)
    else:
        yield from _divided(count, count.absent)


def _divided(count: Count, absent: int) -> Iterator[Count]:
    for yes in range(absent + 1):
        for no in range(absent + 1 - yes):
            for abstain in range(absent + 1 - yes - no):
                for recused in range(absent + 1 - yes - no - abstain):
                    yield replace(
                        count,
                        yes=count.yes + yes,
                        no=count.no + no,
                        abstain=count.abstain + abstain,
                        recused=count.recused + recused,
                        absent=count.absent - yes - no - abstain - recused,
                    )


def _is_tie(count: Count, rules: Rules) -> bool:
    return (
        rules.tie is Tie.CASTING_VOTE
        and rules.threshold in {Threshold.SIMPLE, Threshold.STRICT}
        and count.yes == count.no
    )


def _presence(report: Report) -> Iterator[Line]:
    """From the seats to those who were present."""
    count, rules = report.count, report.rules
    yield Line(Item.SEATS, count.seats, rule=Rule.SEATS)
    if count.vacant:
        yield Line(Item.VACANT, -count.vacant)
    yield Line(Item.IN_OFFICE, count.filled, Weight.RESULT)
    if count.absent:
        yield Line(Item.ABSENT, -count.absent)
    if count.recused and not rules.recused_count_for_quorum:
        yield Line(Item.RECUSED, -count.recused, rule=Rule.RECUSAL)
    yield Line(Item.PRESENT, report.quorum_got, met=report.has_quorum, rule=Rule.QUORUM)


def _base(report: Report) -> Iterator[Line]:
    """From there to the base; left out where the threshold asks for none."""
    count, rules = report.count, report.rules
    if rules.threshold in {Threshold.SIMPLE, Threshold.RATIO}:
        return
    start = report.quorum_got
    if rules.pass_base is PassBase.FIXED:
        start = count.seats
        yield Line(Item.SEATS, start)
    elif rules.pass_base is PassBase.FILLED:
        start = count.filled
        yield Line(Item.IN_OFFICE, start)
    blank = count.abstain if rules.pass_base is PassBase.CAST else 0
    recused = report.base - start + blank
    if recused:
        yield Line(Item.RECUSED, recused, rule=Rule.RECUSAL)
    if blank:
        yield Line(Item.ABSTAINED, -blank)
    yield Line(Item.BASE, report.base, Weight.RESULT, rule=Rule.PASS)


def _majority(report: Report) -> Iterator[Line]:
    rules, count = report.rules, report.count
    threshold = by_threshold(rules, base=report.base, no=count.no)
    if rules.threshold in {Threshold.SIMPLE, Threshold.RATIO}:
        yield Line(Item.NO, count.no)
    yield Line(Item.NEEDED, max(1, threshold), rule=Rule.PASS)
    if rules.minimum_yes > 1:
        yield Line(Item.MINIMUM, rules.minimum_yes, rule=Rule.PASS)
    carried = report.got >= report.needed
    if report.casting_vote:
        yield Line(Item.YES, count.yes)
        yield Line(Item.CASTING, 1, rule=Rule.TIE)
        yield Line(Item.TOTAL, report.got, Weight.FINAL, met=carried)
    else:
        yield Line(Item.YES, count.yes, Weight.FINAL, met=carried)
