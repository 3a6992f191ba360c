"""From a count and the rules to the outcome, with every line of the arithmetic.

A line says what it is (`Item`), a whole number, and which rule it comes from; words are the
page's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from governance.tally.lines import Item, Line, Rule, Weight
from governance.tally.rollcall import Choice, Count
from governance.tally.rules import (
    PassBase,
    QuorumBase,
    QuorumBy,
    Rules,
    Tie,
    by_threshold,
    quorum_needed,
    yes_needed,
)

__all__ = ["Item", "Line", "Outcome", "Report", "Rule", "Share", "Weight", "pass_base", "report"]


class Outcome(StrEnum):
    ADOPTED = "adopted"
    FAILED = "failed"
    VOID = "void"  # no quorum: nothing was decided


@dataclass(frozen=True, slots=True)
class Share:
    """A majority that is asked beside that of the whole: of a class, or of the disinterested."""

    name: str  # of the constituency; empty for the disinterested
    base: int
    needed: int
    got: int

    @property
    def is_met(self) -> bool:
        return self.got >= self.needed


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
    lot: bool = False  # a tie was decided by lot for the motion
    classes: tuple[Share, ...] = ()
    disinterested: Share | None = None

    @property
    def has_quorum(self) -> bool:
        return self.quorum_got >= self.quorum_needed

    @property
    def present(self) -> int:
        return present(self.count, self.rules)

    @property
    def has_majority(self) -> bool:
        """Of the whole; a class or the disinterested can still refuse."""
        return self.got >= self.needed

    @property
    def refusing(self) -> list[Share]:
        """The further majorities that were asked and not reached."""
        return [share for share in self.shares if not share.is_met]

    @property
    def shares(self) -> list[Share]:
        return [*([self.disinterested] if self.disinterested else []), *self.classes]

    def lines(self) -> list[Line]:
        return [*_presence(self), *_base(self), *_further(self), *_majority(self)]


def report(count: Count, rules: Rules, *, classes: Mapping[str, Count] | None = None) -> Report:
    """Decide a vote that is over; `classes` are asked only by rules with a majority per class."""
    quorum_base = count.seats if rules.quorum_base is QuorumBase.FIXED else count.filled
    base = pass_base(count, rules)
    casting_vote = _broken(count, rules, Tie.CASTING_VOTE, count.casting)
    lot = _broken(count, rules, Tie.LOT, count.lot)
    found = Report(
        count=count,
        rules=rules,
        outcome=Outcome.FAILED,
        quorum_base=quorum_base,
        quorum_needed=quorum_needed(rules.quorum, quorum_base),
        quorum_got=count.yes if rules.quorum_by is QuorumBy.YES else present(count, rules),
        base=base,
        needed=yes_needed(rules, base=base, no=count.no),
        got=count.yes + casting_vote + lot,
        casting_vote=casting_vote,
        lot=lot,
        classes=tuple(_class_shares(rules, classes or {})),
        disinterested=_disinterested(count, rules),
    )
    return _with_outcome(found)


def _with_outcome(found: Report) -> Report:
    outcome = Outcome.FAILED
    if not found.has_quorum and found.rules.quorum_by is not QuorumBy.YES:
        outcome = Outcome.VOID
    elif found.has_quorum and found.has_majority and not found.refusing:
        outcome = Outcome.ADOPTED
    return replace(found, outcome=outcome)


def present(count: Count, rules: Rules) -> int:
    """Who took part, and who recused where the rules count them for the quorum."""
    if rules.quorum_by is QuorumBy.PRESENT and rules.recused_count_for_quorum:
        return count.voted + count.recused
    return count.voted


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


def _broken(count: Count, rules: Rules, tie: Tie, side: Choice | None) -> bool:
    """Whether a tie was broken that way, for the motion."""
    tied = rules.breaks_ties and rules.tie is tie and count.yes == count.no
    return tied and side is Choice.YES


def _class_shares(rules: Rules, classes: Mapping[str, Count]) -> Iterator[Share]:
    """The majority in each class in which somebody sits; the minimum is one of the whole."""
    if not rules.per_class:
        return
    for name, count in classes.items():
        if count.filled:
            base = pass_base(count, rules)
            needed = max(1, by_threshold(rules, base=base, no=count.no))
            yield Share(name, base, needed, count.yes)


def _disinterested(count: Count, rules: Rules) -> Share | None:
    """More than half of those in office who did not recuse, once somebody did."""
    if not rules.disinterested_majority or not count.recused:
        return None
    base = count.filled - count.recused
    return Share("", base, base // 2 + 1, count.yes)


def _presence(report: Report) -> Iterator[Line]:
    """From the seats, or from the roll, to those who were present."""
    count, rules = report.count, report.rules
    if rules.quorum_base is QuorumBase.ELIGIBLE:
        yield Line(Item.ROLL, count.filled, Weight.RESULT, rule=Rule.SEATS)
    else:
        yield Line(Item.SEATS, count.seats, rule=Rule.SEATS)
        if count.vacant:
            yield Line(Item.VACANT, -count.vacant)
        yield Line(Item.IN_OFFICE, count.filled, Weight.RESULT)
    if count.absent:
        yield Line(Item.ABSENT, -count.absent)
    recused = count.voted + count.recused - report.present
    if recused:
        yield Line(Item.RECUSED, -recused, rule=Rule.RECUSAL)
    if rules.quorum_by is QuorumBy.YES:
        yield Line(Item.TOOK_PART, report.present)
    else:
        yield Line(Item.PRESENT, report.present, met=report.has_quorum, rule=Rule.QUORUM)


def _base(report: Report) -> Iterator[Line]:
    """From there to the base; left out where the threshold asks for none."""
    count, rules = report.count, report.rules
    if not rules.asks_base:
        return
    start = report.present
    if rules.pass_base is PassBase.FIXED:
        start = count.seats
        yield Line(Item.SEATS, start)
    elif rules.pass_base is PassBase.FILLED:
        start = count.filled
        is_roll = rules.quorum_base is QuorumBase.ELIGIBLE
        yield Line(Item.ROLL if is_roll else Item.IN_OFFICE, start)
    blank = count.abstain if rules.pass_base is PassBase.CAST else 0
    recused = report.base - start + blank
    if recused:
        yield Line(Item.RECUSED, recused, rule=Rule.RECUSAL)
    if blank:
        yield Line(Item.ABSTAINED, -blank)
    yield Line(Item.BASE, report.base, Weight.RESULT, rule=Rule.PASS)


def _further(report: Report) -> Iterator[Line]:
    """The majorities that are asked beside that of the whole, each on one line."""
    if report.rules.quorum_by is QuorumBy.YES:
        yield Line(Item.OPTION, report.quorum_got, met=report.has_quorum, rule=Rule.QUORUM)
    for share in report.shares:
        item, rule = (Item.CLASS, Rule.PASS) if share.name else (Item.DISINTERESTED, Rule.RECUSAL)
        yield Line(
            item,
            share.got,
            met=share.is_met,
            rule=rule,
            name=share.name,
            needed=share.needed,
            base=share.base,
        )


def _majority(report: Report) -> Iterator[Line]:
    rules, count = report.rules, report.count
    threshold = by_threshold(rules, base=report.base, no=count.no)
    if not rules.asks_base:
        yield Line(Item.NO, count.no)
    yield Line(Item.NEEDED, max(1, threshold), rule=Rule.PASS)
    if rules.minimum_yes > 1:
        yield Line(Item.MINIMUM, rules.minimum_yes, rule=Rule.PASS)
    carried = report.has_majority
    if report.casting_vote or report.lot:
        yield Line(Item.YES, count.yes)
        yield Line(Item.LOT if report.lot else Item.CASTING, 1, rule=Rule.TIE)
        yield Line(Item.TOTAL, report.got, Weight.FINAL, met=carried)
    else:
        yield Line(Item.YES, count.yes, Weight.FINAL, met=carried)
