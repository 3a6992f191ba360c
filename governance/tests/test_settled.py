"""A vote closes early only when no vote to come changes anything: corners against every way."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.tally.report import report
from governance.tally.rollcall import Choice, Count
from governance.tally.rules import PassBase, Rules, Threshold, Tie
from governance.tally.settled import is_settled
from governance.tests.test_every_rule import ANY_RULES

SMALL = st.builds(
    Count,
    yes=st.integers(0, 5),
    no=st.integers(0, 5),
    abstain=st.integers(0, 2),
    recused=st.integers(0, 2),
    absent=st.integers(0, 4),
    vacant=st.integers(0, 2),
)


def ways(count: Count) -> Iterator[Count]:
    for said in product(("yes", "no", "abstain", "recused", "absent"), repeat=count.absent):
        end = replace(count, absent=0)
        for each in said:
            end = replace(end, **{each: getattr(end, each) + 1})
        yield end


def outcomes(count: Count, rules: Rules) -> set[str]:
    """With each side that may break a tie: who is absent may hold the casting vote."""
    sides = (None, Choice.YES, Choice.NO) if rules.breaks_ties else (None,)
    return {
        report(replace(end, casting=side, lot=side), rules).outcome
        for end in ways(count)
        for side in sides
    }


@given(SMALL, ANY_RULES)
def test_a_settled_vote_has_one_outcome_whatever_is_said(count: Count, rules: Rules) -> None:
    rules = replace(rules, tie=Tie.LOT) if rules.tie is Tie.CASTING_VOTE else rules
    settled = is_settled(count, rules)
    certain = len(outcomes(count, rules)) == 1
    if settled:
        assert certain
    elif not rules.breaks_ties:
        assert not certain


def test_a_roll_of_thousands_is_answered_at_once() -> None:
    rules = Rules(pass_base=PassBase.FILLED)
    assert is_settled(Count(yes=5001, absent=4999), rules)
    assert not is_settled(Count(yes=5000, absent=5000), rules)


@pytest.mark.parametrize(
    ("classes", "settled"),
    [
        ({"a": Count(yes=3, absent=1), "b": Count(yes=3, absent=1)}, True),
        ({"a": Count(yes=3, absent=1), "b": Count(yes=2, absent=2)}, False),
        ({"a": Count(no=3, absent=1), "b": Count(yes=2, absent=2)}, True),
    ],
)
def test_each_class_is_asked_before_a_vote_closes_early(
    classes: Mapping[str, Count], settled: bool
) -> None:
    rules = Rules(pass_base=PassBase.FILLED, per_class=True)
    whole = Count(
        yes=sum(each.yes for each in classes.values()),
        no=sum(each.no for each in classes.values()),
        absent=sum(each.absent for each in classes.values()),
    )
    assert is_settled(whole, rules, classes=classes) is settled


def test_a_tie_that_is_broken_keeps_a_large_vote_open() -> None:
    rules = Rules(threshold=Threshold.SIMPLE, tie=Tie.CASTING_VOTE)
    assert not is_settled(Count(yes=20, no=0, absent=20), rules)
    assert is_settled(Count(yes=21, no=0, absent=20), rules)


def test_a_lot_is_drawn_at_the_deadline_and_not_before() -> None:
    rules = Rules(tie=Tie.LOT)
    assert not is_settled(Count(yes=3, no=3), rules)
    assert is_settled(Count(yes=4, no=3), rules)
