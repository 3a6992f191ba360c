"""What elections wait for, for each person."""

from __future__ import annotations

import pytest

from governance.actions.candidacy import leave, nominate
from governance.actions.complaint import complain
from governance.actions.keyholder import name_keyholders
from governance.actions.roll import object_to_roll
from governance.models import Body, Credential, Election, Objection, RollEntry
from governance.tests import elections as made
from governance.tests.conftest import START
from governance.waiting import elections as waiting
from governance.waiting.everything import waiting_for
from portal.accounts.models import User
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def officer() -> User:
    return made.make_officer()


@shared
def ana() -> User:
    return made.make_contributor("ana")


@shared
def election(board: Body, officer: User, ana: User) -> Election:
    return made.make_election(board, officer)


def test_a_nomination_waits_until_it_is_answered(
    election: Election, ana: User, charlie: User
) -> None:
    contest = made.contest_of(election, "contributors")
    candidacy = nominate(actor=ana, contest=contest, nominee=charlie, at=START)
    [found] = waiting_for(charlie, START)
    assert (found.act, found.until) == ("Accept or decline", made.NOMINATIONS_END)
    assert found.note == "Ana nominated you in “Contributors”."
    assert waiting_for(charlie, made.NOMINATIONS_END) == []
    leave(actor=charlie, candidacy=candidacy, at=START)
    assert waiting_for(charlie, START) == []


def test_objections_and_complaints_wait_for_who_runs_the_election(
    election: Election, ana: User, charlie: User, officer: User
) -> None:
    made.draw(election)
    entry = RollEntry.objects.get(voter=ana)
    object_to_roll(
        actor=charlie,
        contest=entry.contest,
        kind=Objection.Kind.REMOVE,
        key=entry.key,
        text="She left.",
        at=made.RECORD,
    )
    complain(actor=charlie, election=election, text="It was late.", at=made.RECORD)
    acts = [each.act for each in waiting_for(officer, made.RECORD)]
    assert acts == ["Rule on an objection", "Rule on a complaint"]
    assert waiting_for(charlie, made.RECORD) == []


@pytest.fixture
def every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "page", lambda name, election: f"/{name}/")


def test_keys_wait_for_who_holds_them(
    election: Election, officer: User, ana: User, charlie: User, every_page: None
) -> None:
    name_keyholders(
        actor=officer, election=election, scrutineers=[ana], officers=[charlie], at=START
    )
    assert [each.act for each in waiting.keys(ana, START)] == ["Make your key as scrutineer"]
    [found] = waiting.keys(charlie, START)
    assert (found.act, found.url) == ("Make your key as officer", "/election_keys/")
    election.scrutineers.update(key="k", key_at=START, sealed_share="s", commitment="c")
    assert [each.act for each in waiting.keys(ana, START)] == ["Check your share of the key"]
    Election.objects.update(state="closed", closed_at=START)
    [told] = waiting.keys(ana, START)
    assert "Tell your share" in told.act
    Election.objects.update(state="cancelled")
    assert list(waiting.keys(ana, START)) == []


def test_a_ballot_waits_until_the_voter_has_a_credential(
    election: Election, ana: User, every_page: None
) -> None:
    made.draw(election)
    frozen = {"state": "frozen", "frozen_at": START, "manifest_sha256": "a" * 64}
    Election.objects.update(**frozen)
    assert list(waiting.votes(ana, made.RECORD)) == []
    [found] = waiting.votes(ana, made.OPENS)
    assert (found.act, found.until, found.url) == ("Vote", made.CLOSES, "/vote/")
    Credential.objects.create(entry=RollEntry.objects.get(voter=ana))
    assert list(waiting.votes(ana, made.OPENS)) == []
