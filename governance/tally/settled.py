"""Whether a vote that still runs is decided already.

A vote is adopted when some sums of its numbers are large enough, so the counts that carry it have
no holes: if it is carried where the absent all say the same thing, whatever that is, it is carried
however they divide. And nothing serves a motion better than a yes. So the corners are enough, for
a board and for a roll of thousands. Only a tie that is broken makes holes; there each way is tried
while those who are absent are few, and the vote runs on while they are many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from governance.tally.report import report
from governance.tally.rollcall import Choice, Count
from governance.tally.rules import Rules, Tie

FEW = 12
SAID = ("yes", "no", "abstain", "recused", "absent")
Classes = Mapping[str, Count]


def is_settled(
    count: Count,
    rules: Rules,
    *,
    classes: Classes | None = None,
    chair_is_absent: bool = False,
) -> bool:
    """Whether nothing that the absent may still say changes the outcome."""
    if not count.absent:
        return not (rules.tie is Tie.LOT and _may_tie(count, rules))
    now = report(count, rules, classes=classes).outcome
    if rules.per_class and classes:
        ends = _ends_of_classes(classes)
        same = all(report(_sum(end), rules, classes=end).outcome == now for end in ends)
        return same and not _may_tie(count, rules)
    if not _may_tie(count, rules):
        return all(report(end, rules).outcome == now for end in _corners(count))
    if rules.tie is Tie.LOT or count.absent > FEW:
        return False
    ways = _ways(count, chair_is_absent=chair_is_absent)
    return all(report(end, rules).outcome == now for end in ways)


def _may_tie(count: Count, rules: Rules) -> bool:
    """Whether there can still be, or is, as many yes as no, under rules that break a tie."""
    return rules.breaks_ties and abs(count.yes - count.no) <= count.absent


def _corners(count: Count) -> Iterator[Count]:
    """All who are absent say the same; and the same after one of them, who recused.

    A first recusal may bring in the majority of the disinterested, which was not asked before.
    """
    starts = [count]
    if count.absent and not count.recused:
        starts.append(replace(count, recused=1, absent=count.absent - 1))
    for start in starts:
        left = replace(start, absent=0)
        for said in SAID:
            yield replace(left, **{said: getattr(left, said) + start.absent})


def _ends_of_classes(classes: Classes) -> Iterator[Classes]:
    for corner in product(*(_corners(each) for each in classes.values())):
        yield dict(zip(classes, corner, strict=True))


def _sum(classes: Classes) -> Count:
    fields = (*SAID, "vacant")
    return Count(**{name: sum(getattr(each, name) for each in classes.values()) for name in fields})


def _ways(count: Count, *, chair_is_absent: bool) -> Iterator[Count]:
    """Every count that can still come, when those who voted stay with it."""
    if not chair_is_absent:
        yield from _divided(count, count.absent)
        return
    left = replace(count, absent=count.absent - 1)
    for said in SAID:
        casting = Choice(said) if said in {"yes", "no"} else None
        chair = replace(left, **{said: getattr(left, said) + 1}, casting=casting)
        # A chair who stays absent is no one of those who can still divide.
        yield from _divided(chair, left.absent)


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
