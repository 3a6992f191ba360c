"""The words around the numbers, for every rule."""

import pytest

from governance import words
from governance.models import Body, RuleSet
from governance.tally.report import report
from governance.tally.rollcall import Choice, Count
from governance.tally.rules import PassBase, Rules, Threshold, Tie

BOARD = Body(kind=Body.Kind.BOARD)
COUNCIL = Body(kind=Body.Kind.COUNCIL)
ALL = {
    "seats_clause": "4.1",
    "quorum_clause": "5.2",
    "pass_clause": "5.4",
    "recusal_clause": "5.6",
    "tie_clause": "5.5",
}


def told(count: Count, body: Body = COUNCIL, **rules: str | int | bool) -> list[tuple[str, ...]]:
    """Label, value and note of each line."""
    rule_set = RuleSet(body=body, **ALL, **rules)
    rows = words.sum_rows(report(count, rule_set.rules), rule_set)
    return [(row.label, row.value, row.note) for row in rows]


def test_an_ordinary_majority_of_those_present() -> None:
    count = Count(yes=3, no=1, abstain=1, recused=1, absent=1, vacant=1)
    assert told(count, BOARD) == [
        ("Voting seats", "8", "4.1"),
        ("less vacant", "− 1", ""),
        ("Directors in office", "7", ""),
        ("less absent", "− 1", ""),
        ("Present, quorum is 5", "6", "5.2: of all voting seats; recused count"),
        ("less recused", "− 1", "5.6"),
        ("Base", "5", "5.4: those present"),
        ("Needed, more than half", "3", "5.4: more than 5 ÷ 2 = 2.5"),
        ("Yes votes", "3", ""),
    ]


def test_votes_cast_without_abstentions() -> None:
    count = Count(yes=3, no=1, abstain=1, recused=1)
    lines = told(count, pass_base="cast", threshold="two_thirds", recused_count_for_quorum=False)
    assert lines[2:] == [
        ("less recused", "− 1", "5.6"),
        ("Present, quorum is 4", "5", "5.2: of all voting seats; recused do not count"),
        ("less abstentions", "− 1", ""),
        ("Base", "4", "5.4: yes and no"),
        ("Needed, two thirds rounded up", "3", "5.4: 4 × 2 ÷ 3 = 2.67"),
        ("Yes votes", "3", ""),
    ]


def test_a_recusal_that_stays_in_the_base_is_added_again() -> None:
    lines = told(Count(yes=4, recused=1), recused_count_for_quorum=False, recused_leave_base=False)
    assert ("plus recused", "1", "5.6") in lines


def test_three_quarters_of_all_seats_and_of_those_filled() -> None:
    count = Count(yes=5, absent=2, vacant=1)
    fixed = told(count, pass_base="fixed", threshold="three_quarters")
    assert fixed[5:] == [
        ("Voting seats", "8", ""),
        ("Base", "8", "5.4: all voting seats"),
        ("Needed, three quarters rounded up", "6", "5.4: 8 × 3 ÷ 4 = 6"),
        ("Yes votes", "5", ""),
    ]
    filled = told(count, pass_base="filled", quorum_base="filled", threshold="two_thirds")
    assert filled[5:7] == [
        ("Members in office", "7", ""),
        ("Base", "7", "5.4: seats that are filled"),
    ]
    assert ("Present, quorum is 4", "5", "5.2: of those filled") in filled


def test_more_yes_than_no_and_a_casting_vote() -> None:
    lines = told(Count(yes=2, no=2, casting=Choice.YES), threshold="simple", tie="casting_vote")
    assert lines[-5:] == [
        ("No votes", "2", ""),
        ("Needed, more yes than no", "3", "5.4: 2 + 1"),
        ("Yes votes", "2", ""),
        ("Casting vote of the chair", "1", "5.5"),
        ("Yes votes with the casting vote", "3", ""),
    ]


def test_a_ratio_with_a_minimum() -> None:
    lines = told(Count(yes=3, no=1), threshold="ratio", ratio=2, minimum_yes=3)
    assert lines[-4:] == [
        ("No votes", "1", ""),
        ("Needed, 2 yes for each no", "2", "5.4: 1 × 2 = 2"),
        ("Needed at least, whatever the base", "3", "5.4"),
        ("Yes votes", "3", ""),
    ]


@pytest.mark.parametrize(
    ("count", "answer"),
    [
        (Count(yes=4), "Four voted yes; three were needed."),
        (Count(yes=1), "One voted yes; one was needed."),
        (Count(no=4), "None voted yes; three were needed."),
        (Count(yes=12, no=11), "12 voted yes; 12 were needed."),
        (Count(yes=1, absent=3), "One was present; the quorum is three. Nothing was decided."),
        (Count(absent=4), "None were present; the quorum is three. Nothing was decided."),
    ],
)
def test_the_answer_in_one_sentence(count: Count, answer: str) -> None:
    assert words.answer(report(count, Rules())) == answer


@pytest.mark.parametrize(
    ("rules", "abstention", "recusal"),
    [
        (Rules(), "works against", "leaves the base but counts"),
        (Rules(pass_base=PassBase.CAST), "neither side", "leaves the base but counts"),
        (Rules(threshold=Threshold.SIMPLE), "neither side", "for the quorum only"),
        (Rules(recused_count_for_quorum=False), "works against", "base and does not count"),
        (Rules(recused_leave_base=False), "works against", "stays in the base and counts"),
        (
            Rules(recused_leave_base=False, recused_count_for_quorum=False),
            "works against",
            "stays in the base but does not",
        ),
        (
            Rules(threshold=Threshold.RATIO, recused_count_for_quorum=False, tie=Tie.STATUS_QUO),
            "neither side",
            "counts for nothing",
        ),
    ],
)
def test_what_abstaining_and_recusing_did(rules: Rules, abstention: str, recusal: str) -> None:
    text = words.explanation(rules)
    assert abstention in text
    assert recusal in text
