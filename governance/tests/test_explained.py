"""What rules say of themselves in words: each parameter changes the sentence that it should."""

import pytest

from governance.models import RuleSet
from governance.rules.changes import shown
from governance.rules.explained import composition, deciding, recusal
from governance.rules.explained.example import Example

NINE = Example(seats=9, filled=8)


def said(topic: object, **rules: object) -> str:
    return " ".join(topic(RuleSet(**rules), NINE))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("rules", "words", "silent"),
    [
        ({"seconds_needed": 0}, "A motion needs no second.", "discussed"),
        ({"seconds_needed": 1}, "1 other person must second", "needs no second"),
        ({"seconds_needed": 3}, "3 other people must second", "needs no second"),
        ({"discussion_days": 1}, "discussed for at least 1 day before", "1 days"),
        ({"discussion_days": 14}, "discussed for at least 14 days before", "begins this time anew"),
        (
            {"discussion_days": 14, "discussion_restarts": True},
            "An amendment that is accepted begins this time anew.",
            "lapses",
        ),
        ({"discussion_days": 0, "discussion_restarts": True}, "second a motion", "anew"),
        ({"lapses_after_weeks": 1}, "for 1 week lapses", "weeks"),
        ({"lapses_after_weeks": 4}, "for 4 weeks lapses", "discussed for"),
    ],
)
def test_what_precedes_a_vote(rules: dict[str, object], words: str, silent: str) -> None:
    told = said(deciding.discussion, **({"discussion_restarts": False} | rules))
    assert words in told
    assert silent not in told


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"minimum_hours": 0}, "It runs to its deadline, even"),
        ({"minimum_hours": 24}, "stays open for at least 1 day."),
        ({"minimum_hours": 72}, "stays open for at least 3 days."),
        ({"minimum_hours": 1}, "stays open for at least 1 hour."),
        ({"minimum_hours": 36}, "stays open for at least 36 hours."),
        ({"early_close": True}, "It closes early"),
        (
            {"early_close": True, "quorum_base": "eligible"},
            "A vote of members runs to its deadline",
        ),
    ],
)
def test_how_long_a_vote_is_open(rules: dict[str, object], words: str) -> None:
    assert words in said(deciding.opening, **({"early_close": False} | rules))


@pytest.mark.parametrize(
    ("rules", "words", "silent"),
    [
        ({"consent": "unanimous"}, "only if everybody in office signs", "have to sign"),
        ({"consent": "unanimous", "consent_notice": True}, "everybody", "told at once"),
        (
            {"consent": "as_if_present", "consent_days": 0},
            "have to sign. Those who did not sign",
            "within",
        ),
        (
            {"consent": "as_if_present", "consent_notice": False, "consent_days": 60},
            "within 60 days of the first one",
            "told at once",
        ),
    ],
)
def test_how_it_decides_without_a_vote(rules: dict[str, object], words: str, silent: str) -> None:
    told = said(deciding.consent, **rules)
    assert words in told
    assert silent not in told


def test_without_a_rule_nothing_is_decided_in_writing() -> None:
    assert said(deciding.consent, consent="none") == ""


def test_a_change_of_bylaws_says_every_step_that_is_asked_and_no_other() -> None:
    assert said(deciding.change, member_vote="none") == ""
    every = said(
        deciding.change,
        notice_days=7,
        public_discussion_days=30,
        member_vote="members",
        effective_after_days=1,
    )
    for words in ("7 days before the vote", "30 days", "These must agree too", "in force 1 day"):
        assert words in every


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"quorum_base": "eligible"}, ""),
        ({"vacancy_filled_by": "nobody"}, "stays so until the next election"),
        ({"vacancy_term": RuleSet.VacancyTerm.REST_OF_TERM}, "the rest of the term"),
        ({"vacancy_term": "next_election"}, "until the next election"),
        ({"vacancy_term": RuleSet.VacancyTerm.FULL_TERM}, "a full term"),
        ({"vacancy_days": 1}, "within 1 day."),
        ({"vacancy_days": 60}, "within 60 days."),
    ],
)
def test_how_a_vacancy_is_filled(rules: dict[str, object], words: str) -> None:
    told = said(composition.vacancy, **rules)
    assert words in told
    assert bool(told) is bool(words)


@pytest.mark.parametrize(
    ("rules", "words", "silent"),
    [
        ({}, "", "seat"),
        ({"cap_seats": 1}, "at most 1 seat. Of 9 seats that allows 1.", "rounded"),
        ({"cap_seats": 2}, "at most 2 seats. Of 9 seats that allows 2.", "rounded"),
        (
            {"cap_share": RuleSet.CapShare.THIRD},
            "rounded down. Of 9 seats that allows 3.",
            "at most 3 seats",
        ),
        ({"cap_share": RuleSet.CapShare.THIRD, "cap_seats": 2}, "that allows 2.", "allows 3"),
    ],
)
def test_how_many_seats_one_employer_holds(
    rules: dict[str, object], words: str, silent: str
) -> None:
    told = said(composition.cap, **rules)
    assert words in told
    assert silent not in told


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"record_days": 0}, "that of the day on which the vote opens. Every member"),
        ({"record_days": 1}, "that of 1 day before"),
        ({"record_days": 10}, "that of 10 days before"),
        ({"activity": "affirmed", "affirmation_months": 6}, "within the last 6 months"),
        ({"activity": "voted"}, "who took part in the last vote"),
        ({"activity": "either", "affirmation_months": 12}, "12 months that they want to vote, or"),
    ],
)
def test_who_is_on_the_roll(rules: dict[str, object], words: str) -> None:
    assert words in said(composition.membership, **({"quorum_base": "eligible"} | rules))
    assert said(composition.membership, **({"quorum_base": "fixed"} | rules)) == ""


@pytest.mark.parametrize(
    ("leaves", "counts", "words"),
    [
        (True, True, "leaves the base but counts for the quorum"),
        (True, False, "leaves the base and does not count for the quorum"),
        (False, True, "stays in the base and counts for the quorum"),
        (False, False, "stays in the base but does not count for the quorum"),
    ],
)
def test_what_a_recusal_does(leaves: bool, counts: bool, words: str) -> None:
    rules = {
        "recused_leave_base": leaves,
        "recused_count_for_quorum": counts,
        "pass_base": "present",
        "quorum_by": "present",
    }
    assert words in said(recusal.sentences, **rules)
    only = "counts for the quorum only" if counts else "counts for nothing"
    assert only in said(recusal.sentences, **rules, threshold="ratio", ratio=3)


def test_papers_and_the_disinterested_are_told_apart() -> None:
    closed = said(recusal.sentences, recused_see_no_papers=True, disinterested_majority=True)
    assert "does not read the papers" in closed
    assert "more than half of the others" in closed
    opened = said(recusal.sentences, recused_see_no_papers=False, disinterested_majority=False)
    assert "may still read the papers" in opened
    assert "the others" not in opened


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("early_close", True, "yes"),
        ("early_close", False, "no"),
        ("vacancy_term", RuleSet.VacancyTerm.FULL_TERM, "a full term"),
        ("cap_seats", None, "—"),
        ("change_clause", "", "—"),
        ("minimum_hours", 0, "0"),
        ("quorum_clause", "Bylaw 5.2", "Bylaw 5.2"),
    ],
)
def test_a_rule_is_shown_as_its_form_words_it(name: str, value: object, words: str) -> None:
    assert shown(RuleSet(**{name: value}), name) == words
