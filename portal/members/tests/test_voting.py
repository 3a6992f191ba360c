"""The answers from real rows, at any day, in words; and what governance freezes."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from portal.accounts.actions.account import close_account
from portal.accounts.models import User
from portal.members.actions.contributor import accept_standing, end_standing
from portal.members.actions.term import end_term
from portal.members.electorate import Candidate, electorate, eligible_voters, of_person
from portal.members.eligibility_words import explain, summary
from portal.members.models import Organisation
from portal.members.tests.people import (
    DAY,
    YEAR,
    make_contributor,
    make_organisation,
    make_secured,
    make_term,
    make_tier,
)
from tests.cast import make_person, sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


def keys(at: object) -> set[str]:
    return {candidate.key for candidate in eligible_voters(at)}  # type: ignore[arg-type]


@shared
def owner() -> User:
    return make_person("olga")


@shared
def acme(owner: User) -> Organisation:
    """A member since a day; olga owns it."""
    organisation = make_organisation(owner=owner)
    owner.role_grants.update(since=timezone.now() - 2 * YEAR)
    make_term(organisation, make_tier(), timezone.now() - DAY)
    return organisation


def told(key: str, at: object) -> list[str]:
    found: list[Candidate] = [c for c in electorate(at) if c.key == key]  # type: ignore[arg-type]
    return [explain(step) for step in found[0].answer.steps]


def test_a_member_votes_while_its_term_runs(acme: Organisation) -> None:
    now = timezone.now()
    assert keys(now) == {"organisation:acme"}
    assert keys(now - 2 * DAY) == set()
    assert keys(now + 400 * DAY) == set()


def test_a_refund_takes_the_vote_from_then_on_and_not_before(acme: Organisation) -> None:
    now = timezone.now()
    end_term(term=acme.terms.get(), at=now, reason="refunded")
    assert keys(now - SECOND) == {"organisation:acme"}
    assert keys(now) == set()
    assert "Its last term ended on" in told("organisation:acme", now)[0]


def test_each_answer_is_explained_in_words(acme: Organisation, owner: User) -> None:
    now = timezone.now()
    term, kind, speaker = told("organisation:acme", now)
    assert term.startswith("Gold, from ")
    assert kind == "As a member it has one vote, whatever it pays."
    assert speaker.startswith("Olga, owner since ")
    assert "begins on" in told("organisation:acme", now - 2 * DAY)[0]
    sol = make_organisation("Sol")
    make_term(sol, make_tier("silver", takes_part=False), now)
    assert told("organisation:sol", now)[1].startswith("A sponsor supports and does not vote")
    make_term(sol, make_tier("platinum"), now)
    assert "No owner has an account" in told("organisation:sol", now)[2]


def test_a_second_owner_does_not_give_a_second_vote(acme: Organisation) -> None:
    second = make_person("otto")
    second.role_grants.create(role="owner", scope_kind="organisation", scope_slug="acme")
    [candidate] = eligible_voters(timezone.now())
    assert candidate.answer.voter_name == "Olga"
    assert "the others are Otto" in explain(candidate.answer.steps[2])


def test_a_contributor_votes_from_acceptance_to_end(charlie: User, frank: User) -> None:
    gwen = make_person("gwen")
    now = timezone.now()
    contributor = make_contributor(charlie, frank, now)
    key = f"contributor:{contributor.pk}"
    assert told(key, now)[1].startswith("The invitation was not accepted")
    accept_standing(user=gwen, contributor=contributor, is_listed=False, at=now + DAY)
    assert told(key, now)[1].startswith("Only on")
    assert keys(now + DAY) == {key}
    end_standing(actor=frank, contributor=contributor, at=now + 3 * DAY, reason="Left.")
    assert keys(now + 2 * DAY) == {key}
    assert keys(now + 3 * DAY) == set()
    assert told(key, now + 3 * DAY)[0].startswith("It ended on")


def test_who_closed_their_account_does_not_vote_from_then_on(charlie: User, frank: User) -> None:
    start = timezone.now() - DAY
    contributor = make_contributor(charlie, frank, start, email=charlie.email)
    assert keys(start + SECOND) == {f"contributor:{contributor.pk}"}
    close_account(actor=charlie, user=charlie)
    later = timezone.now()
    assert keys(start + SECOND) == {f"contributor:{contributor.pk}"}
    assert keys(later) == set()
    assert told(f"contributor:{contributor.pk}", later)[2].startswith("It was closed")


def test_a_stranger_has_an_answer_too(charlie: User) -> None:
    found = of_person(charlie, timezone.now())
    assert summary(found.answer).startswith("The person was never a contributor")


def test_what_a_roll_keeps_is_plain_data_with_reasons(acme: Organisation, owner: User) -> None:
    [candidate] = eligible_voters(timezone.now())
    record = json.loads(json.dumps(candidate.as_record()))
    assert record["key"] == "organisation:acme"
    assert (record["voter"], record["voter_name"]) == (owner.pk, "Olga")
    assert [reason["met"] for reason in record["reasons"]] == [True, True, True]
    assert all(reason["found"] for reason in record["reasons"])


def test_the_questions_do_not_grow_with_the_people(
    acme: Organisation,
    charlie: User,
    frank: User,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    tier = make_tier("platinum")
    for number in range(3):
        make_term(make_organisation(f"Org {number}"), tier, timezone.now())
        make_contributor(charlie, frank, timezone.now(), email=f"c{number}@example.org")
    with django_assert_num_queries(5):
        assert len(electorate(timezone.now())) == 7


# --- pages ---


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    body = b"".join(answer) if answer.streaming else answer.content
    return body.decode()


def test_everybody_sees_their_own_answers_at_any_day(acme: Organisation, alice: User) -> None:
    client = sign_in(alice)  # a second owner: the first one speaks
    assert "You have no vote" in text(client, "/voting/")
    assert "Acme" in text(client, "/voting/")
    assert "begins on" in text(client, "/voting/?on=2020-01-01")
    assert "Enter a valid date" in text(client, "/voting/?on=nonsense")


def test_the_voter_is_told_how_many_votes_they_cast(charlie: User, frank: User) -> None:
    make_contributor(charlie, frank, timezone.now(), email=charlie.email)
    person = make_secured("hugo")
    charlie.contributor.user = person
    charlie.contributor.save()
    person.role_grants.create(role="contributor", since=timezone.now())
    charlie.role_grants.all().delete()
    assert "You cast 1 vote<" in text(sign_in(person), "/voting/")


def test_the_staff_ask_for_everybody_filter_and_export(acme: Organisation, frank: User) -> None:
    client = sign_in(frank)
    sol = make_organisation("Sol")
    make_term(sol, make_tier("silver", takes_part=False), timezone.now())
    everybody = text(client, "/staff/electorate/")
    assert "Acme" in everybody
    assert "Sol" in everybody
    assert ">Sol<" not in text(client, "/staff/electorate/?answer=yes")
    assert ">Acme<" not in text(client, "/staff/electorate/?answer=no")
    assert ">Acme<" not in text(client, "/staff/electorate/?constituency=contributors")
    assert ">Acme<" not in text(client, "/staff/electorate/?q=sol")
    assert "Nobody found" in text(client, "/staff/electorate/?q=nobody")
    detail = text(client, "/staff/electorate/organisation:acme/?on=2020-01-01")
    assert "not asked" in detail
    assert client.get("/staff/electorate/organisation:none/").status_code == 404
    rows = text(client, "/staff/electorate.csv?answer=yes").splitlines()
    assert rows[0] == "constituency,name,may vote,cast by,why,key"
    assert rows[1].startswith("members,Acme,yes,Olga,")
    assert len(rows) == 2
