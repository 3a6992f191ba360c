"""The arithmetic of a named vote, rule by rule."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.tally.report import Item, Line, Outcome, Rule, Weight, report
from governance.tally.rollcall import Choice, Count
from governance.tally.rules import (
    PassBase,
    Quorum,
    QuorumBase,
    Rules,
    Threshold,
    Tie,
    quorum_needed,
    yes_needed,
)
from governance.tally.settled import is_settled

ADOPTED, FAILED, VOID = Outcome.ADOPTED, Outcome.FAILED, Outcome.VOID


def votes(text: str, casting: Choice | None = None) -> Count:
    """`"YYYnaR--.."`: Yes, No, Abstain, Recused, absent `-`, vacant `.`."""
    letters = text.upper()
    return Count(
        yes=letters.count("Y"),
        no=letters.count("N"),
        abstain=letters.count("A"),
        recused=letters.count("R"),
        absent=letters.count("-"),
        vacant=letters.count("."),
        casting=casting,
    )


def test_the_example_of_the_page() -> None:
    """Needed 4 of 6, got 5; 1 recused, base 4; two thirds of 4 are 3, got 3."""
    found = report(votes("yyyar."), Rules(threshold=Threshold.TWO_THIRDS))
    assert found.outcome is ADOPTED
    assert (found.quorum_base, found.quorum_needed, found.quorum_got) == (6, 4, 5)
    assert (found.base, found.needed, found.got) == (4, 3, 3)
    assert found.lines() == [
        Line(Item.SEATS, 6, rule=Rule.SEATS),
        Line(Item.VACANT, -1),
        Line(Item.IN_OFFICE, 5, Weight.RESULT),
        Line(Item.PRESENT, 5, met=True, rule=Rule.QUORUM),
        Line(Item.RECUSED, -1, rule=Rule.RECUSAL),
        Line(Item.BASE, 4, Weight.RESULT, rule=Rule.PASS),
        Line(Item.NEEDED, 3, rule=Rule.PASS),
        Line(Item.YES, 3, Weight.FINAL, met=True),
    ]


@pytest.mark.parametrize(
    ("quorum", "needed"),
    [
        (Quorum.THIRD, [1, 1, 1, 1, 2, 2, 2, 3]),
        (Quorum.HALF, [1, 1, 1, 2, 2, 3, 3, 4]),
        (Quorum.MAJORITY, [1, 1, 2, 2, 3, 3, 4, 4]),
        (Quorum.TWO_THIRDS, [1, 1, 2, 2, 3, 4, 4, 5]),
    ],
)
def test_quorum_of_no_to_seven_seats(quorum: Quorum, needed: list[int]) -> None:
    assert [quorum_needed(quorum, seats) for seats in range(8)] == needed


@pytest.mark.parametrize(
    ("threshold", "needed"),
    [
        (Threshold.STRICT, [1, 1, 2, 2, 3, 3, 4, 4]),
        (Threshold.TWO_THIRDS, [1, 1, 2, 2, 3, 4, 4, 5]),
        (Threshold.THREE_QUARTERS, [1, 1, 2, 3, 3, 4, 5, 6]),
    ],
)
def test_yes_votes_needed_of_a_base(threshold: Threshold, needed: list[int]) -> None:
    rules = Rules(threshold=threshold)
    assert [yes_needed(rules, base=base, no=0) for base in range(8)] == needed


@pytest.mark.parametrize(
    ("threshold", "ratio", "needed"),
    [(Threshold.SIMPLE, 1, [1, 2, 3, 4]), (Threshold.RATIO, 3, [1, 3, 6, 9])],
)
def test_yes_votes_needed_against_no_votes(
    threshold: Threshold, ratio: int, needed: list[int]
) -> None:
    rules = Rules(threshold=threshold, ratio=ratio)
    assert [yes_needed(rules, base=99, no=no) for no in range(4)] == needed


QUORUMS = [
    # base, recused count, votes, needed, got
    (QuorumBase.FIXED, True, "yyyy...", 4, 4),
    (QuorumBase.FIXED, True, "yyyr...", 4, 4),
    (QuorumBase.FIXED, False, "yyyr...", 4, 3),
    (QuorumBase.FILLED, True, "yy--...", 3, 2),
    (QuorumBase.FILLED, True, "yya-...", 3, 3),
    (QuorumBase.FILLED, False, "yyrr...", 3, 2),
]


@pytest.mark.parametrize(("base", "recused_count", "said", "needed", "got"), QUORUMS)
def test_who_counts_for_the_quorum(
    base: QuorumBase, recused_count: bool, said: str, needed: int, got: int
) -> None:
    found = report(votes(said), Rules(quorum_base=base, recused_count_for_quorum=recused_count))
    assert (found.quorum_needed, found.quorum_got) == (needed, got)
    assert (found.outcome is VOID) == (got < needed)


BASES = [
    # pass base, recused leave, votes, base
    (PassBase.PRESENT, True, "yynar-.", 4),
    (PassBase.PRESENT, False, "yynar-.", 5),
    (PassBase.CAST, True, "yynar-.", 3),
    (PassBase.CAST, False, "yynar-.", 3),
    (PassBase.FILLED, True, "yynar-.", 5),
    (PassBase.FILLED, False, "yynar-.", 6),
    (PassBase.FIXED, True, "yynar-.", 6),
    (PassBase.FIXED, False, "yynar-.", 7),
]


@pytest.mark.parametrize(("base", "leave", "said", "wanted"), BASES)
def test_what_yes_votes_are_measured_against(
    base: PassBase, leave: bool, said: str, wanted: int
) -> None:
    rules = Rules(pass_base=base, recused_leave_base=leave)
    assert report(votes(said), rules).base == wanted


OUTCOMES = [
    # votes, rules, outcome
    ("yyynnn.", Rules(), FAILED),
    ("yyyynnn", Rules(), ADOPTED),
    ("yyyaaaa", Rules(), FAILED),
    ("yyyaaaa", Rules(pass_base=PassBase.CAST), ADOPTED),
    ("yyyaaaa", Rules(threshold=Threshold.SIMPLE), ADOPTED),
    ("yynnaaa", Rules(threshold=Threshold.SIMPLE), FAILED),
    ("aaaaaaa", Rules(threshold=Threshold.SIMPLE), FAILED),
    ("rrrrrrr", Rules(threshold=Threshold.TWO_THIRDS), FAILED),
    ("yyyyyn-", Rules(threshold=Threshold.THREE_QUARTERS), ADOPTED),
    ("yyyynn-", Rules(threshold=Threshold.THREE_QUARTERS), FAILED),
    ("yyyyan-", Rules(threshold=Threshold.RATIO, ratio=4), ADOPTED),
    ("yyyynn-", Rules(threshold=Threshold.RATIO, ratio=3), FAILED),
    ("yyynaaa", Rules(threshold=Threshold.SIMPLE, minimum_yes=4), FAILED),
    ("yyyynaa", Rules(threshold=Threshold.SIMPLE, minimum_yes=4), ADOPTED),
    ("yyy----", Rules(), VOID),
    ("-------", Rules(), VOID),
    (".......", Rules(), VOID),
    ("", Rules(quorum_base=QuorumBase.FILLED), VOID),
]


@pytest.mark.parametrize(("said", "rules", "outcome"), OUTCOMES)
def test_outcome(said: str, rules: Rules, outcome: Outcome) -> None:
    assert report(votes(said), rules).outcome is outcome


TIES = [
    # votes, the chair's side, threshold, tie rule, outcome
    ("yyynnn.", Choice.YES, Threshold.STRICT, Tie.CASTING_VOTE, ADOPTED),
    ("yyynnn.", Choice.NO, Threshold.STRICT, Tie.CASTING_VOTE, FAILED),
    ("yyynnn.", None, Threshold.STRICT, Tie.CASTING_VOTE, FAILED),
    ("yyynnn.", Choice.YES, Threshold.STRICT, Tie.STATUS_QUO, FAILED),
    ("yynnaa.", Choice.YES, Threshold.SIMPLE, Tie.CASTING_VOTE, ADOPTED),
    ("yynnaa.", Choice.YES, Threshold.STRICT, Tie.CASTING_VOTE, FAILED),
    ("yyynnn.", Choice.YES, Threshold.TWO_THIRDS, Tie.CASTING_VOTE, FAILED),
    ("yyynnn.", Choice.YES, Threshold.RATIO, Tie.CASTING_VOTE, ADOPTED),
    ("yyyynn.", Choice.NO, Threshold.STRICT, Tie.CASTING_VOTE, ADOPTED),
]


@pytest.mark.parametrize(("said", "chair", "threshold", "tie", "outcome"), TIES)
def test_a_tie(
    said: str, chair: Choice | None, threshold: Threshold, tie: Tie, outcome: Outcome
) -> None:
    rules = Rules(threshold=threshold, tie=tie)
    assert report(votes(said, casting=chair), rules).outcome is outcome


def test_a_casting_vote_is_a_line_of_its_own() -> None:
    rules = Rules(threshold=Threshold.SIMPLE, tie=Tie.CASTING_VOTE)
    found = report(votes("yynn", casting=Choice.YES), rules)
    assert found.lines()[-3:] == [
        Line(Item.YES, 2),
        Line(Item.CASTING, 1, rule=Rule.TIE),
        Line(Item.TOTAL, 3, Weight.FINAL, met=True),
    ]


def test_a_minimum_of_yes_votes_is_a_line_of_its_own() -> None:
    lines = report(votes("yyy-"), Rules(minimum_yes=4)).lines()
    assert Line(Item.MINIMUM, 4, rule=Rule.PASS) in lines
    assert lines[-1] == Line(Item.YES, 3, Weight.FINAL, met=False)


ALL_RULES = [
    Rules(quorum_base, quorum, pass_base, threshold, 2, minimum, counts, leaves, tie)
    for quorum_base, quorum, pass_base, threshold, minimum, counts, leaves, tie in product(
        QuorumBase, Quorum, PassBase, Threshold, (1, 3), (True, False), (True, False), Tie
    )
]


def possible(count: Count) -> bool:
    """The chair's vote is one of those counted."""
    said = {None: 1, Choice.YES: count.yes, Choice.NO: count.no}
    return said[count.casting] > 0


COUNTS = st.builds(
    Count,
    yes=st.integers(0, 5),
    no=st.integers(0, 5),
    abstain=st.integers(0, 3),
    recused=st.integers(0, 3),
    absent=st.integers(0, 3),
    vacant=st.integers(0, 3),
    casting=st.sampled_from([None, Choice.YES, Choice.NO]),
).filter(possible)


@given(count=COUNTS, rules=st.sampled_from(ALL_RULES))
def test_the_lines_add_up_whatever_the_rules(count: Count, rules: Rules) -> None:
    """Each result line is the sum of the lines above it, as a bookkeeper asks."""
    found = report(count, rules)
    running = 0
    for line in found.lines():
        starts_anew = line == Line(Item.IN_OFFICE, count.filled)
        if line.item in {Item.SEATS, Item.ROLL, Item.NO, Item.NEEDED} or starts_anew:
            running = line.value
        elif line.item in {Item.IN_OFFICE, Item.PRESENT, Item.BASE}:
            assert line.value == running
        elif line.item not in {Item.MINIMUM, Item.YES, Item.TOTAL}:
            running += line.value
    assert found.lines()[-1].value == found.got
    assert (found.lines()[-1].met is True) == (found.got >= found.needed)


@given(count=COUNTS, rules=st.sampled_from(ALL_RULES))
def test_nobody_wins_without_a_yes_and_one_more_yes_never_hurts(count: Count, rules: Rules) -> None:
    found = report(count, rules)
    assert found.outcome is not ADOPTED or count.yes >= 1
    if count.no > (count.casting is Choice.NO) and found.outcome is ADOPTED:
        turned = replace(count, yes=count.yes + 1, no=count.no - 1)
        assert report(turned, rules).outcome is ADOPTED


SETTLED = [
    ("yyyy---", Rules(pass_base=PassBase.FIXED), False, True),
    ("yyyy---", Rules(pass_base=PassBase.PRESENT), False, True),
    ("yyy----", Rules(pass_base=PassBase.FIXED), False, False),
    ("nnnn---", Rules(pass_base=PassBase.FIXED), False, True),
    ("yyynnn-", Rules(pass_base=PassBase.FIXED, recused_leave_base=False), False, False),
    ("nnn---.", Rules(pass_base=PassBase.FIXED, threshold=Threshold.TWO_THIRDS), False, False),
    ("yyynnn-", Rules(tie=Tie.CASTING_VOTE), True, False),
    ("ynnnnn-", Rules(tie=Tie.CASTING_VOTE), True, True),
    ("yyyynnn", Rules(), False, True),
]


@pytest.mark.parametrize(("said", "rules", "chair_is_absent", "settled"), SETTLED)
def test_when_nothing_can_change_any_more(
    said: str, rules: Rules, chair_is_absent: bool, settled: bool
) -> None:
    assert is_settled(votes(said), rules, chair_is_absent=chair_is_absent) is settled
