"""Every combination of the rules that count, against a second reading of them, voter by voter."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.tally.report import Outcome, report
from governance.tally.rollcall import Choice, Count
from governance.tally.rules import (
    PassBase,
    Quorum,
    QuorumBase,
    QuorumBy,
    Rules,
    Threshold,
    Tie,
)

Voters = str  # a letter for each seat: Yes, No, Abstains, Recused, absent -, vacant .
PARTS_OF_COUNT = ("yes", "no", "abstain", "recused", "absent", "vacant")
PARTS = {
    Quorum.TENTH: Fraction(1, 10),
    Quorum.QUARTER: Fraction(1, 4),
    Quorum.THIRD: Fraction(1, 3),
    Quorum.HALF: Fraction(1, 2),
    Quorum.TWO_THIRDS: Fraction(2, 3),
}


def counted(voters: Voters, side: Choice | None = None, lot: Choice | None = None) -> Count:
    letters = zip(PARTS_OF_COUNT, "ynar-.", strict=True)
    numbers = {part: voters.count(letter) for part, letter in letters}
    return Count(**numbers, casting=side, lot=lot)


def expected(voters: Voters, rules: Rules, side: Choice | None, lot: Choice | None) -> Outcome:
    """The rules as a secretary reads them, with fractions and no rounding."""
    if not _has_quorum(voters, rules):
        return Outcome.FAILED if rules.quorum_by is QuorumBy.YES else Outcome.VOID
    yes, no = voters.count("y"), voters.count("n")
    breaker = {Tie.STATUS_QUO: None, Tie.CASTING_VOTE: side, Tie.LOT: lot}[rules.tie]
    majority_alone = rules.threshold in {Threshold.SIMPLE, Threshold.STRICT}
    if yes == no and majority_alone and breaker is Choice.YES:
        yes += 1
    carried = yes >= 1 and yes >= rules.minimum_yes and _is_enough(yes, no, voters, rules)
    if rules.disinterested_majority and "r" in voters:
        others = [each for each in voters if each in "yna-"]
        carried = carried and voters.count("y") > Fraction(len(others), 2)
    return Outcome.ADOPTED if carried else Outcome.FAILED


def _has_quorum(voters: Voters, rules: Rules) -> bool:
    of = len(voters) if rules.quorum_base is QuorumBase.FIXED else len(voters.replace(".", ""))
    if rules.quorum is Quorum.NONE:
        return True
    towards = {QuorumBy.PRESENT: "yna", QuorumBy.BALLOTS: "yna", QuorumBy.YES: "y"}[rules.quorum_by]
    if rules.quorum_by is QuorumBy.PRESENT and rules.recused_count_for_quorum:
        towards += "r"
    there = sum(each in towards for each in voters)
    if there < 1:
        return False
    if rules.quorum is Quorum.MAJORITY:
        return there > Fraction(of, 2)
    if rules.quorum is Quorum.SQUARE_ROOT:
        return there >= 3 * sqrt(of) / 2
    return there >= PARTS[rules.quorum] * of


def _is_enough(yes: int, no: int, voters: Voters, rules: Rules) -> bool:
    if rules.threshold is Threshold.SIMPLE:
        return yes > no
    if rules.threshold is Threshold.RATIO:
        return yes >= rules.ratio * no
    in_base = {
        PassBase.PRESENT: "ynar",
        PassBase.CAST: "yn",
        PassBase.FILLED: "ynar-",
        PassBase.FIXED: "ynar-.",
    }[rules.pass_base]
    if rules.recused_leave_base:
        in_base = in_base.replace("r", "")
    base = sum(each in in_base for each in voters)
    if rules.threshold is Threshold.STRICT:
        return yes > Fraction(base, 2)
    part = {
        Threshold.TWO_THIRDS: Fraction(2, 3),
        Threshold.THREE_QUARTERS: Fraction(3, 4),
        Threshold.UNANIMOUS: Fraction(1),
    }[rules.threshold]
    return yes >= part * base


def every_rule() -> Iterator[Rules]:
    """Each combination of the parameters that count, about eighty thousand."""
    both = (True, False)
    for values in product(
        *(QuorumBase, Quorum, QuorumBy, PassBase, Threshold, (1, 4), both, both, both, Tie)
    ):
        base, quorum, by, pass_base, threshold, minimum, counts, leaves, disinterested, tie = values
        yield Rules(
            quorum_base=base,
            quorum=quorum,
            quorum_by=by,
            pass_base=pass_base,
            threshold=threshold,
            ratio=2,
            minimum_yes=minimum,
            recused_count_for_quorum=counts,
            recused_leave_base=leaves,
            disinterested_majority=disinterested,
            tie=tie,
        )


ANY_RULES = st.builds(
    Rules,
    quorum_base=st.sampled_from(QuorumBase),
    quorum=st.sampled_from(Quorum),
    quorum_by=st.sampled_from(QuorumBy),
    pass_base=st.sampled_from(PassBase),
    threshold=st.sampled_from(Threshold),
    ratio=st.integers(1, 4),
    minimum_yes=st.integers(1, 5),
    recused_count_for_quorum=st.booleans(),
    recused_leave_base=st.booleans(),
    disinterested_majority=st.booleans(),
    tie=st.sampled_from(Tie),
)
SIDES = st.sampled_from([None, Choice.YES, Choice.NO])


@given(st.text("ynar-.", max_size=14), ANY_RULES, SIDES, SIDES)
def test_any_rules_on_any_votes(
    voters: Voters, rules: Rules, side: Choice | None, lot: Choice | None
) -> None:
    found = report(counted(voters, side, lot), rules)
    assert found.outcome is expected(voters, rules, side, lot)


# Each of the four states beside yes and no, and what lies at the edges of the thresholds.
VOTES = [
    "",
    "yyyynn",
    "yyyaar-.",
    "yynnr-",
    "yynna.",
    "yyyyr--",
    "yyn-----",
    "rrryy",
    "yyyyyyyyn..",
]


@pytest.mark.proof
@pytest.mark.parametrize("voters", VOTES)
@pytest.mark.parametrize("side", [Choice.YES, Choice.NO])
def test_every_combination_of_rules(voters: Voters, side: Choice) -> None:
    count = counted(voters, side, side)
    wrong = [
        rules
        for rules in every_rule()
        if report(count, rules).outcome is not expected(voters, rules, side, side)
    ]
    assert wrong == []
