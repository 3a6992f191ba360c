"""Who may vote, and why not: tables for the pure core."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from portal.members.eligibility import (
    ContributorFacts,
    OrganisationFacts,
    Rule,
    Span,
    SpeakerFact,
    TermFact,
    of_contributor,
    of_organisation,
)

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
RUNS = Span(NOON - DAY, NOON + DAY)
OVER = Span(NOON - 2 * DAY, NOON)
LATER = Span(NOON + DAY, NOON + 2 * DAY)
OPEN = Span(NOON - 9 * DAY)


def term(span: Span = RUNS, *, takes_part: bool = True) -> TermFact:
    kind = "member" if takes_part else "sponsor"
    return TermFact(span, tier=f"tier of a {kind}", kind=kind, takes_part=takes_part)


ALICE = SpeakerFact(user=1, name="Alice", span=OPEN)
BOB = SpeakerFact(user=2, name="Bob", span=Span(NOON - DAY))


@pytest.mark.parametrize(
    ("terms", "speakers", "obstacle"),
    [
        ([term()], [ALICE], None),
        ([], [ALICE], Rule.TERM),
        ([term(OVER)], [ALICE], Rule.TERM),
        ([term(LATER)], [ALICE], Rule.TERM),
        ([term(takes_part=False)], [ALICE], Rule.TAKES_PART),
        ([term(takes_part=False), term()], [ALICE], None),
        ([term()], [], Rule.SPEAKER),
        ([term()], [SpeakerFact(1, "Alice", OVER)], Rule.SPEAKER),
        ([term()], [SpeakerFact(1, "Alice", LATER)], Rule.SPEAKER),
    ],
)
def test_an_organisation_votes_in_a_term_that_takes_part_and_has_an_owner(
    terms: list[TermFact], speakers: list[SpeakerFact], obstacle: Rule | None
) -> None:
    answer = of_organisation(OrganisationFacts(tuple(terms), tuple(speakers)), NOON)
    assert answer.may_vote == (obstacle is None)
    assert (answer.obstacle.rule if answer.obstacle else None) == obstacle
    assert (answer.voter is None) == (obstacle is not None)


def test_of_several_owners_the_first_casts_the_one_vote() -> None:
    answer = of_organisation(OrganisationFacts((term(),), (BOB, ALICE)), NOON)
    assert (answer.voter, answer.voter_name) == (1, "Alice")
    assert answer.steps[-1].found["others"] == ["Bob"]


def test_what_follows_a_rule_that_is_not_met_is_not_asked() -> None:
    answer = of_organisation(OrganisationFacts((), (ALICE,)), NOON)
    assert [step.met for step in answer.steps] == [False, None, None]


def test_a_span_begins_with_its_first_moment_and_ends_before_its_last() -> None:
    assert RUNS.covers(RUNS.since)
    assert RUNS.until is not None
    assert not RUNS.covers(RUNS.until)
    assert OPEN.covers(NOON + 9999 * DAY)


def test_the_end_of_the_last_term_and_the_begin_of_the_next_are_found() -> None:
    facts = OrganisationFacts((term(OVER), term(LATER)))
    found = of_organisation(facts, NOON).steps[0].found
    assert (found["ended"], found["begins"]) == (OVER.until, LATER.since)


@pytest.mark.parametrize(
    ("standings", "accepted_at", "roles", "obstacle"),
    [
        ([RUNS], NOON, [OPEN], None),
        ([OVER, RUNS], NOON, [OVER, OPEN], None),
        ([], NOON, [OPEN], Rule.STANDING),
        ([OVER], NOON, [OPEN], Rule.STANDING),
        ([LATER], NOON, [OPEN], Rule.STANDING),
        ([RUNS], None, [], Rule.ACCEPTED),
        ([RUNS], NOON + DAY, [OPEN], Rule.ACCEPTED),
        ([RUNS], NOON, [], Rule.ACCOUNT),
        ([RUNS], NOON, [OVER], Rule.ACCOUNT),
    ],
)
def test_a_contributor_votes_in_standing_accepted_and_with_an_account(
    standings: list[Span],
    accepted_at: datetime | None,
    roles: list[Span],
    obstacle: Rule | None,
) -> None:
    facts = ContributorFacts(tuple(standings), accepted_at, user=7, name="Gwen", roles=tuple(roles))
    answer = of_contributor(facts, NOON)
    assert (answer.obstacle.rule if answer.obstacle else None) == obstacle
    assert answer.voter == (7 if obstacle is None else None)
