"""The roll is drawn on the record date from the register; rulings on objections mend it."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from governance.actions.roll import draw_due, object_to_roll, rule_on_objection
from governance.elections.enfranchised import standings
from governance.models import Body, Contest, Election, ElectionRound, Objection, RollEntry
from governance.refusals import NotAllowed, Refusal
from governance.tests import elections as made
from governance.tests.conftest import DAY, START
from portal.accounts.models import User
from portal.members.models import Standing
from tests.shared import shared

pytestmark = pytest.mark.django_db
Kind, Answer = Objection.Kind, Objection.Answer


@shared
def officer() -> User:
    return made.make_officer()


@shared
def contributors() -> list[User]:
    return [made.make_contributor(name) for name in ("cora", "carl")]


@shared
def owner() -> User:
    return made.make_member("Acme")[1]


@shared
def election(board: Body, officer: User, contributors: list[User], owner: User) -> Election:
    return made.draw(made.make_election(board, officer))


@shared
def contest(election: Election) -> Contest:
    return made.contest_of(election, "contributors")


def on_roll(election: Election) -> list[str]:
    rows = RollEntry.objects.standing().filter(contest__election=election)
    return [str(entry) for entry in rows]


def entry_of(user: User) -> RollEntry:
    return RollEntry.objects.get(voter=user)


def test_everybody_who_may_vote_on_the_record_date_is_on_it(election: Election) -> None:
    assert on_roll(election) == ["Carl", "Cora", "Acme (Acme-Owner)"]
    assert election.roll_drawn_at == made.RECORD
    assert ElectionRound.objects.get().kind == "roll_shown"
    reasons = RollEntry.objects.filter(name="Cora").get().reasons
    assert [step["met"] for step in reasons] == [True, True, True]


def test_it_is_drawn_once_and_not_before_its_day(board: Body, officer: User) -> None:
    made.make_election(board, officer)
    assert draw_due(at=made.RECORD - DAY) == 0
    assert draw_due(at=made.RECORD) == 1
    assert draw_due(at=made.RECORD + DAY) == 0


def test_who_comes_later_is_not_on_it(election: Election) -> None:
    late = made.make_contributor("late", since=made.RECORD + DAY)
    assert entry_count(late) == 0
    [stands] = [s for s in standings(late, election, made.RECORD + 2 * DAY) if s.key[:4] == "cont"]
    assert not stands.is_on_the_roll
    assert stands.reasons[0]["met"] is False


def entry_count(user: User) -> int:
    return RollEntry.objects.filter(voter=user).count()


def test_a_person_reads_their_votes_and_why(
    election: Election, contributors: list[User], owner: User, charlie: User
) -> None:
    at = made.RECORD + DAY
    [own] = standings(contributors[0], election, at)
    assert (own.name, own.is_on_the_roll, own.contest.constituency) == (
        "Cora",
        True,
        "contributors",
    )
    of_owner = {s.contest.constituency: s.is_on_the_roll for s in standings(owner, election, at)}
    assert of_owner == {"contributors": False, "members": True}
    [stranger] = standings(charlie, election, at)
    assert not stranger.is_on_the_roll
    assert any(step["met"] is False for step in stranger.reasons)


def test_an_objection_that_is_granted_takes_a_voter_off(
    contest: Contest, contributors: list[User], officer: User
) -> None:
    carl = contributors[1]
    objection = object_to_roll(
        actor=contributors[0],
        contest=contest,
        kind=Kind.REMOVE,
        key=entry_of(carl).key,
        text="He left in May.",
        at=made.RECORD + DAY,
    )
    assert len(on_roll(contest.election)) == 3
    rule_on_objection(
        actor=officer,
        objection=objection,
        answer=Answer.GRANTED,
        reason="He did.",
        at=made.RECORD + DAY,
    )
    assert on_roll(contest.election) == ["Cora", "Acme (Acme-Owner)"]
    [stands] = standings(carl, contest.election, made.RECORD + DAY)
    assert not stands.is_on_the_roll
    assert stands.objection is not None
    assert stands.objection.answer_reason == "He did."


def test_who_was_forgotten_is_added_by_a_ruling(
    contest: Contest, officer: User, charlie: User
) -> None:
    late = made.make_contributor("late", since=made.RECORD + DAY)
    [key] = [s.key for s in standings(late, contest.election, made.RECORD + DAY)]
    asked = {"contest": contest, "kind": Kind.ADD, "key": key, "at": made.RECORD + 2 * DAY}
    with pytest.raises(NotAllowed, match="who would cast the vote"):
        object_to_roll(actor=charlie, text="Missing.", **asked)  # type: ignore[arg-type]
    objection = object_to_roll(actor=late, text="I was accepted in time.", **asked)  # type: ignore[arg-type]
    assert str(objection) == "Late is missing"
    rule_on_objection(
        actor=officer,
        objection=objection,
        answer=Answer.GRANTED,
        reason="The register was late.",
        at=made.RECORD + 2 * DAY,
    )
    entry = entry_of(late)
    assert entry.added_by_objection
    assert "Late" in on_roll(contest.election)


def test_one_who_was_taken_off_comes_back_by_another_ruling(
    contest: Contest, contributors: list[User], officer: User
) -> None:
    cora, at = contributors[0], made.RECORD + DAY
    key = entry_of(cora).key
    for actor, kind in ((contributors[1], Kind.REMOVE), (cora, Kind.ADD)):
        objection = object_to_roll(
            actor=actor, contest=contest, kind=kind, key=key, text="Because.", at=at
        )
        rule_on_objection(
            actor=officer, objection=objection, answer=Answer.GRANTED, reason="Yes.", at=at
        )
    assert "Cora" in on_roll(contest.election)


def test_a_refused_objection_changes_nothing_and_is_ruled_on_once(
    contest: Contest, contributors: list[User], officer: User, charlie: User
) -> None:
    at = made.RECORD + DAY
    objection = object_to_roll(
        actor=charlie,
        contest=contest,
        kind=Kind.REMOVE,
        key=entry_of(contributors[0]).key,
        text="I do not know her.",
        at=at,
    )
    ruling = {"objection": objection, "answer": Answer.REFUSED, "at": at}
    with pytest.raises(NotAllowed):
        rule_on_objection(actor=charlie, reason="Mine.", **ruling)  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="Give the reason"):
        rule_on_objection(actor=officer, reason="", **ruling)  # type: ignore[arg-type]
    rule_on_objection(actor=officer, reason="That is no rule.", **ruling)  # type: ignore[arg-type]
    assert len(on_roll(contest.election)) == 3
    with pytest.raises(Refusal, match="ruled on already"):
        rule_on_objection(actor=officer, reason="Again.", **ruling)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("at", "why"),
    [(made.RECORD - DAY, "drawn on"), (made.OBJECTIONS_END, "ended on")],
)
def test_objections_have_their_window(
    contest: Contest, contributors: list[User], at: object, why: str
) -> None:
    with pytest.raises(Refusal, match=why):
        object_to_roll(
            actor=contributors[0],
            contest=contest,
            kind=Kind.REMOVE,
            key=entry_of(contributors[1]).key,
            text="Because.",
            at=at,  # type: ignore[arg-type]
        )


@pytest.mark.parametrize(
    ("kind", "key", "text", "why"),
    [
        (Kind.REMOVE, "contributor:0", "Because.", "Nobody of this name"),
        (Kind.ADD, "own", "Because.", "on the roll already"),
        (Kind.REMOVE, "own", "  ", "Say why"),
    ],
)
def test_an_objection_without_sense_is_refused(
    contest: Contest, contributors: list[User], kind: Objection.Kind, key: str, text: str, why: str
) -> None:
    own = entry_of(contributors[0]).key
    with pytest.raises(Refusal, match=why):
        object_to_roll(
            actor=contributors[0],
            contest=contest,
            kind=kind,
            key=own if key == "own" else key,
            text=text,
            at=made.RECORD + DAY,
        )


def test_the_same_objection_waits_once(contest: Contest, contributors: list[User]) -> None:
    asked = {
        "contest": contest,
        "kind": Kind.REMOVE,
        "key": entry_of(contributors[1]).key,
        "text": "Because.",
        "at": made.RECORD + DAY,
    }
    object_to_roll(actor=contributors[0], **asked)  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="waits for its ruling"):
        object_to_roll(actor=contributors[1], **asked)  # type: ignore[arg-type]


def test_the_register_changes_and_the_roll_does_not(
    election: Election, contributors: list[User]
) -> None:
    Standing.objects.filter(contributor__user=contributors[0]).update(ended_at=made.RECORD - DAY)
    assert "Cora" in on_roll(election)


def test_the_database_keeps_a_frozen_roll(election: Election) -> None:
    Election.objects.update(frozen_at=START, manifest_sha256="a" * 64, state="frozen")
    for change in ({"removed_at": START}, {"name": "Other"}, {"number": 7}):
        with pytest.raises(IntegrityError, match="stays as it is"), transaction.atomic():
            RollEntry.objects.filter(name="Cora").update(**change)
