"""Who holds keys of an election, and what is taken from their browsers."""

from __future__ import annotations

from hashlib import sha256

import pytest

from governance.actions.candidacy import accept_nomination, leave, nominate
from governance.actions.keyholder import make_key, name_keyholders, tell_nonce
from governance.actions.share import Dealt, confirm_share, deal_shares, tell_share
from governance.demonstrations.ceremony import Ceremony
from governance.elections.key_page import own_cards, stages
from governance.models import Body, Election, ElectionOfficer, Scrutineer
from governance.refusals import NotAllowed, Refusal
from governance.tests import elections as made
from governance.tests.conftest import START
from portal.accounts.models import User
from tests.cast import make_person
from tests.shared import shared

pytestmark = pytest.mark.django_db
AT = made.NOMINATIONS_END


@shared
def officer() -> User:
    return made.make_officer()


@shared
def election(board: Body, officer: User) -> Election:
    return made.make_election(board, officer)


@shared
def people() -> list[User]:
    """Three scrutineers and two who sign."""
    return [make_person(name) for name in ("one", "two", "three", "first", "second")]


@pytest.fixture
def ceremony(election: Election, officer: User, people: list[User]) -> Ceremony:
    return Ceremony(election, officer, scrutineers=people[:3], officers=people[3:], at=AT)


def acts(election: Election, user: User) -> list[str]:
    election.refresh_from_db()
    return [card.act for card in own_cards(election, user)]


def test_each_finds_what_they_have_to_do(ceremony: Ceremony, people: list[User]) -> None:
    name_keyholders(
        actor=ceremony.runs,
        election=ceremony.election,
        scrutineers=people[:3],
        officers=people[3:],
        at=AT,
    )
    assert acts(ceremony.election, people[0]) == ["make"]
    assert acts(ceremony.election, people[3]) == ["make"]
    assert acts(ceremony.election, ceremony.runs) == []
    ceremony.make_keys()
    assert acts(ceremony.election, people[0]) == [""]
    ceremony.split()
    Scrutineer.objects.filter(user=people[0]).update(confirmed_at=None)
    assert acts(ceremony.election, people[0]) == ["confirm"]
    Election.objects.update(state="prepared")
    assert acts(ceremony.election, people[3]) == ["sign"]
    assert acts(ceremony.election, people[0]) == [""]
    Election.objects.update(state="closed")
    assert acts(ceremony.election, people[0]) == ["tell"]
    assert acts(ceremony.election, people[3]) == ["tell"]


def test_the_stages_show_how_far_it_is(ceremony: Ceremony) -> None:
    assert not any(stage.is_done for stage in stages(ceremony.election, AT))
    ceremony.make_keys()
    ceremony.split()
    ceremony.election.refresh_from_db()
    done = [stage.text for stage in stages(ceremony.election, AT) if stage.is_done]
    assert done == [
        "Scrutineers make their keys",
        "The election key is made and split",
        "Scrutineers check their shares",
        "Officers make their keys",
    ]


def test_an_officer_is_no_scrutineer(ceremony: Ceremony, people: list[User]) -> None:
    with pytest.raises(Refusal, match="different people"):
        name_keyholders(
            actor=ceremony.runs,
            election=ceremony.election,
            scrutineers=people[:3],
            officers=people[2:4],
            at=AT,
        )


def test_who_stands_holds_no_key_until_they_withdraw(ceremony: Ceremony) -> None:
    election = ceremony.election
    cora, carl = made.make_contributor("cora"), made.make_contributor("carl")
    stands = made.put_forward(election, "contributors", cora, seconded_by=carl)
    for place, people in ((0, ceremony.scrutineers), (1, ceremony.officers)):
        before = people[place]
        people[place] = cora
        with pytest.raises(Refusal, match="holds no key of it"):
            ceremony.make_keys()
        people[place] = before
    leave(actor=cora, candidacy=stands, at=START)
    ceremony.scrutineers[0] = cora
    ceremony.make_keys()
    assert election.scrutineers.filter(user=cora).exists()


def test_who_holds_a_key_does_not_stand(ceremony: Ceremony) -> None:
    election = ceremony.election
    contest = made.contest_of(election, "contributors")
    cora, carl, cleo = (made.make_contributor(name) for name in ("cora", "carl", "cleo"))
    asked = nominate(actor=carl, contest=contest, nominee=cora, at=START)
    ceremony.scrutineers[0], ceremony.officers[0] = cora, cleo
    ceremony.make_keys()
    with pytest.raises(Refusal, match="Cora holds a key of this election"):
        accept_nomination(actor=cora, candidacy=asked, affiliation="", statement="", at=START)
    for actor in (carl, cleo):
        with pytest.raises(Refusal, match="Cleo holds a key of this election"):
            nominate(actor=actor, contest=contest, nominee=cleo, at=START)


def test_only_who_runs_the_election_names_them(ceremony: Ceremony, people: list[User]) -> None:
    with pytest.raises(NotAllowed):
        name_keyholders(
            actor=people[0], election=ceremony.election, scrutineers=[], officers=[], at=AT
        )


def test_other_scrutineers_ask_for_another_split(ceremony: Ceremony, people: list[User]) -> None:
    ceremony.make_keys()
    ceremony.split()
    name = {"actor": ceremony.runs, "election": ceremony.election, "officers": people[3:]}
    name_keyholders(scrutineers=people[:3], at=AT, **name)  # type: ignore[arg-type]
    ceremony.election.refresh_from_db()
    assert ceremony.election.election_key
    name_keyholders(scrutineers=people[:2], at=AT, **name)  # type: ignore[arg-type]
    ceremony.election.refresh_from_db()
    assert not ceremony.election.election_key
    assert not ceremony.election.scrutineers.exclude(key="").exists()


def test_nobody_makes_the_key_of_another(ceremony: Ceremony, people: list[User]) -> None:
    ceremony.make_keys()
    holder = ceremony.election.scrutineers.get(place=1)
    with pytest.raises(NotAllowed, match="Only One"):
        make_key(actor=people[1], holder=holder, key=holder.key, at=AT)


@pytest.mark.parametrize("key", ["", "AAAA", "not base64!", "BA" + "A" * 85])
def test_what_is_no_point_is_no_key(ceremony: Ceremony, people: list[User], key: str) -> None:
    ceremony.make_keys()
    holder = ceremony.election.scrutineers.get(place=1)
    with pytest.raises(Refusal, match="no public key"):
        make_key(actor=people[0], holder=holder, key=key, at=AT)


def test_an_officer_fixes_a_hidden_number_with_the_key(
    ceremony: Ceremony, people: list[User]
) -> None:
    ceremony.make_keys()
    holder = ceremony.election.officers.get(place=1)
    with pytest.raises(Refusal, match="hidden number"):
        make_key(actor=people[3], holder=holder, key=holder.key, nonce_sha256="x", at=AT)


def test_a_key_to_which_a_share_was_sealed_stays(ceremony: Ceremony, people: list[User]) -> None:
    ceremony.make_keys()
    ceremony.split()
    holder = ceremony.election.scrutineers.get(place=1)
    with pytest.raises(Refusal, match="made and split anew"):
        make_key(actor=people[0], holder=holder, key=holder.key, at=AT)


@pytest.mark.parametrize(
    ("shares", "why"),
    [
        ([], "one share for each"),
        ([Dealt("x", "a" * 63)] * 3, "not sealed"),
        ([Dealt("", "a" * 64)] * 3, "not sealed"),
        ([Dealt("x" * 1001, "a" * 64)] * 3, "not sealed"),
    ],
)
def test_shares_that_cannot_be_are_refused(
    ceremony: Ceremony, shares: list[Dealt], why: str
) -> None:
    ceremony.make_keys()
    key = ceremony.election.scrutineers.get(place=1).key
    with pytest.raises(Refusal, match=why):
        deal_shares(
            actor=ceremony.runs,
            election=ceremony.election,
            election_key=key,
            shares=shares,
            at=AT,
        )


def test_the_key_is_not_split_before_all_have_theirs(
    ceremony: Ceremony, people: list[User]
) -> None:
    ceremony.make_keys()
    ceremony.election.scrutineers.filter(place=2).update(key="", key_at=None)
    key = ceremony.election.scrutineers.get(place=1).key
    with pytest.raises(Refusal, match="not made their key yet: Two"):
        deal_shares(
            actor=ceremony.runs, election=ceremony.election, election_key=key, shares=[], at=AT
        )


def test_a_share_is_confirmed_by_its_holder_and_its_commitment(
    ceremony: Ceremony, people: list[User]
) -> None:
    ceremony.make_keys()
    ceremony.split()
    holder = ceremony.election.scrutineers.get(place=1)
    with pytest.raises(Refusal, match="not the share"):
        confirm_share(actor=people[0], scrutineer=holder, commitment="b" * 64, at=AT)
    with pytest.raises(Refusal, match="not yours"):
        confirm_share(actor=people[1], scrutineer=holder, commitment=holder.commitment, at=AT)


def test_shares_and_numbers_are_told_after_the_close_alone(
    ceremony: Ceremony, people: list[User]
) -> None:
    ceremony.make_keys()
    ceremony.split()
    with pytest.raises(Refusal, match="when voting is closed"):
        ceremony.tell(at=START)


@pytest.mark.parametrize(("share", "salt"), [("0" * 64, "00" * 16), ("zz", "00"), ("1", "0")])
def test_a_wrong_share_is_known_for_one(
    ceremony: Ceremony, people: list[User], share: str, salt: str
) -> None:
    ceremony.make_keys()
    ceremony.split()
    Election.objects.update(state="closed")
    holder = ceremony.election.scrutineers.get(place=1)
    with pytest.raises(Refusal, match="share"):
        tell_share(actor=people[0], scrutineer=holder, share=share, salt=salt, at=AT)
    assert not Scrutineer.objects.exclude(opened_at=None).exists()


@pytest.mark.parametrize("nonce", ["", "zz", "00" * 32])
def test_a_wrong_number_is_known_for_one(
    ceremony: Ceremony, people: list[User], nonce: str
) -> None:
    ceremony.make_keys()
    Election.objects.update(state="closed")
    holder = ceremony.election.officers.get(place=1)
    with pytest.raises(Refusal, match="not the number"):
        tell_nonce(actor=people[3], officer=holder, nonce=nonce, at=AT)
    assert not ElectionOfficer.objects.exclude(told_at=None).exists()


def test_told_shares_are_kept(ceremony: Ceremony) -> None:
    ceremony.make_keys()
    ceremony.split()
    Election.objects.update(state="closed")
    ceremony.tell(at=AT, without=1)
    told = ceremony.election.scrutineers.exclude(opened_at=None)
    assert [each.place for each in told.order_by("place")] == [1, 2]
    for holder in ceremony.election.officers.all():
        assert sha256(bytes.fromhex(holder.nonce)).hexdigest() == holder.nonce_sha256
