"""The arithmetic against rules of real foundations; each row names where it was read."""

import pytest

from governance.models import Body
from governance.rules.ready_sets import READY_SETS
from governance.tally.report import Outcome, report
from governance.tally.rollcall import Choice, Count
from governance.tally.rules import Rules

ADOPTED, FAILED, VOID = Outcome.ADOPTED, Outcome.FAILED, Outcome.VOID


def rules_of(ready: str, subject: str) -> Rules:
    found = READY_SETS[ready].of(subject)
    assert found is not None
    return found.as_rule_set(Body()).rules


CASES = [
    # 8 Del. C. § 141(b): a majority of the total number is a quorum, vacant seats included.
    ("delaware", "ordinary", Count(yes=4, absent=1, vacant=4), VOID),
    ("delaware", "ordinary", Count(yes=5, vacant=4), ADOPTED),
    # The same: the act of a majority of those present, so an abstention is like a no.
    ("delaware", "ordinary", Count(yes=3, abstain=3, absent=1), FAILED),
    ("delaware", "ordinary", Count(yes=4, abstain=2, absent=1), ADOPTED),
    # § 144: interested directors count for the quorum; a majority of the disinterested decides.
    ("delaware", "ordinary", Count(yes=3, recused=1, absent=3), FAILED),
    ("delaware", "ordinary", Count(yes=4, recused=1, absent=2), ADOPTED),
    ("delaware", "ordinary", Count(yes=3, recused=2), ADOPTED),
    # § 215(c): a third of the members is a quorum; a majority of those present decides.
    ("delaware", "members", Count(yes=33, absent=67), VOID),
    ("delaware", "members", Count(yes=18, no=16, absent=66), ADOPTED),
    ("delaware", "members", Count(yes=17, no=16, abstain=1, absent=66), FAILED),
    # Eclipse's vote on its bylaws of 2019: 186 yes, 7 no. Who did not vote is not counted against,
    # as long as a third of the members did.
    ("members-and-contributors", "members-bylaws", Count(yes=186, no=7, absent=300), ADOPTED),
    ("members-and-contributors", "members-bylaws", Count(yes=186, no=7, absent=387), VOID),
    ("members-and-contributors", "members-bylaws", Count(yes=128, no=65, absent=100), FAILED),
    ("members-and-contributors", "members-bylaws", Count(yes=9, absent=5), FAILED),
    ("members-and-contributors", "members-bylaws", Count(yes=10, absent=5), ADOPTED),
    # Debian, 4.2 and A.5.2: with 1,000 developers 3Q = 3 × √1000 ÷ 2 = 47.43, so 48 must prefer it.
    ("debian", "general", Count(yes=47, absent=953), FAILED),
    ("debian", "general", Count(yes=48, absent=952), ADOPTED),
    ("debian", "general", Count(yes=100, no=100, absent=800), FAILED),
    # Debian, A.5.3: at least three for each against, for a change of the constitution.
    ("debian", "constitution", Count(yes=299, no=100, absent=601), FAILED),
    ("debian", "constitution", Count(yes=300, no=100, absent=600), ADOPTED),
    # Apache: procedure by more yes than no; releases with three yes; code without a veto.
    ("apache", "procedure", Count(yes=1, absent=40), ADOPTED),
    ("apache", "procedure", Count(yes=2, no=2, absent=40), FAILED),
    ("apache", "release", Count(yes=2, absent=40), FAILED),
    ("apache", "release", Count(yes=3, no=2, absent=40), ADOPTED),
    ("apache", "code", Count(yes=40, no=1), FAILED),
    ("apache", "code", Count(yes=3, abstain=1, absent=40), ADOPTED),
    ("apache", "code", Count(yes=2, absent=40), FAILED),
]


@pytest.mark.parametrize(("ready", "subject", "count", "outcome"), CASES)
def test_real_rules(ready: str, subject: str, count: Count, outcome: Outcome) -> None:
    assert report(count, rules_of(ready, subject)).outcome is outcome


def test_both_halves_of_a_board_have_to_agree_to_a_change_of_the_bylaws() -> None:
    """Two thirds of eight are six; four members against one contributor do not do it."""
    rules = rules_of("members-and-contributors", "bylaws")
    halves = {"contributors": Count(yes=2, no=2), "members": Count(yes=4)}
    found = report(Count(yes=6, no=2), rules, classes=halves)
    assert (found.needed, found.got, found.outcome) == (6, 6, FAILED)
    assert [(share.name, share.needed, share.got) for share in found.refusing] == [
        ("contributors", 3, 2)
    ]
    agreed = {"contributors": Count(yes=3, no=1), "members": Count(yes=3, no=1)}
    assert report(Count(yes=6, no=2), rules, classes=agreed).outcome is ADOPTED


def test_a_class_in_which_nobody_sits_is_not_asked() -> None:
    rules = Rules(per_class=True)
    classes = {"contributors": Count(yes=3), "members": Count(vacant=2)}
    assert report(Count(yes=3, vacant=2), rules, classes=classes).outcome is ADOPTED


def test_a_lot_breaks_a_tie_and_nothing_else() -> None:
    rules = rules_of("delaware", "ordinary")
    tied = Rules(tie=type(rules.tie)("lot"))
    for_it = report(Count(yes=3, no=3, lot=Choice.YES), tied)
    assert (for_it.outcome, for_it.lot) == (ADOPTED, True)
    assert report(Count(yes=3, no=3, lot=Choice.NO), tied).outcome is FAILED
    assert report(Count(yes=2, no=4, lot=Choice.YES), tied).outcome is FAILED
    assert not report(Count(yes=4, no=2, lot=Choice.YES), tied).lot
