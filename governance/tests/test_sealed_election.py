"""A sealed election from its announcement to seats, with the real registrar and the real box."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest

from governance.actions.candidacy import leave
from governance.actions.credential import TakenError, issue_credential, note_all_issued
from governance.actions.election_close import close_due
from governance.actions.election_count import count_due
from governance.actions.election_result import declare_election
from governance.actions.freezing import sign_manifest, take_back_manifest, write_manifest
from governance.box.office import Office as BoxOffice
from governance.demonstrations import ceremony as browsers
from governance.demonstrations.ceremony import Ceremony, Voter
from governance.elections import outcomes
from governance.elections.compose import OfficeKeys
from governance.models import Body, Candidacy, Credential, Election, RollEntry, SeatTerm
from governance.refusals import NotAllowed, Refusal
from governance.registrar.office import Office as RegistrarOffice
from governance.tests import elections as made
from governance.tests import offices
from governance.tests.conftest import DAY, HOUR, make_seat
from portal.accounts.models import User
from portal.lib.models import OutboxMail

pytestmark = pytest.mark.django_db
CONTESTS = ("2026-board/contributors", "2026-board/members")


@pytest.fixture
def clock() -> offices.Clock:
    return offices.Clock(now=made.OPENS)


@pytest.fixture
def registrar(tmp_path: Path, clock: offices.Clock) -> Iterator[RegistrarOffice]:
    offices.keep_registrar_keys(tmp_path, CONTESTS)
    with offices.registrar(tmp_path, clock) as office:
        yield office


@pytest.fixture
def box(tmp_path: Path, clock: offices.Clock) -> Iterator[BoxOffice]:
    with offices.ballot_box(tmp_path, clock) as office:
        yield office


@pytest.fixture
def ceremony(board: Body) -> Ceremony:
    """Drawn and nominated: three contributors and a member stand; keys are not made yet."""
    officer = made.make_officer()
    election = made.make_election(board, officer)
    seats = [make_seat(board, number) for number in (21, 22, 23)]
    made.contest_of(election, "contributors").seats.set(seats[:2])
    made.contest_of(election, "members").seats.set(seats[2:])
    people = [made.make_contributor(name) for name in ("cora", "carl", "cleo", "cyra")]
    _, owner = made.make_member("Acme")
    _, other = made.make_member("Beta")
    for person, friend in pairwise(people):
        made.put_forward(election, "contributors", person, seconded_by=friend)
    made.put_forward(election, "members", owner, seconded_by=other)
    made.draw(election)
    return made.make_ceremony(election, officer)


@pytest.fixture
def frozen(ceremony: Ceremony, registrar: RegistrarOffice, box: BoxOffice) -> Ceremony:
    ceremony.make_keys()
    ceremony.split()
    ceremony.freeze(registrar, box)
    return ceremony


def entries(election: Election, constituency: str = "contributors") -> list[RollEntry]:
    rows = RollEntry.objects.standing().filter(contest__election=election)
    return list(rows.filter(contest__constituency=constituency))


def credential(entry: RollEntry, registrar: RegistrarOffice, at: datetime = made.OPENS) -> Voter:
    return browsers.credential(entry, registrar, at)


def number_of(name: str) -> int:
    number = Candidacy.objects.get(name=name, contest__constituency="contributors").number
    assert number is not None
    return number


def test_from_nominations_to_seats(
    frozen: Ceremony, registrar: RegistrarOffice, box: BoxOffice, clock: offices.Clock
) -> None:
    election = frozen.election
    assert election.state == "frozen"
    carl, cleo, cora = (number_of(name) for name in ("Carl", "Cleo", "Cora"))
    for entry, order in zip(
        entries(election), [(cora, carl), (cora,), (carl, cleo), ()], strict=True
    ):
        credential(entry, registrar).cast(box, *order)
    again = credential(entries(election, "members")[0], registrar)
    again.cast(box)
    again.cast(box, 0)
    clock.now = made.CLOSES
    assert close_due(box=box, at=made.CLOSES) == 1
    election.refresh_from_db()
    assert count_due(registrar=registrar, box=box, at=made.CLOSES + HOUR) == 0
    frozen.tell(at=made.CLOSES, without=1)
    assert count_due(registrar=registrar, box=box, at=made.CLOSES + HOUR) == 1
    assert count_due(registrar=registrar, box=box, at=made.CLOSES + HOUR) == 0
    election.refresh_from_db()
    contributors, members = election.contests.all()
    assert {one.name for one in outcomes.elected(contributors)} == {"Cora", "Carl"}
    assert [one.name for one in outcomes.elected(members)] == ["Acme-Owner"]
    assert congratulated() == ["acme-owner", "carl", "cora"]
    text = OutboxMail.objects.get(key__contains=":elected:", recipient__startswith="cora").text
    assert "Term begins: on the day on which the result is declared" in text
    told = outcomes.of_contest(contributors)
    assert (told.roll, told.took_part, told.blank) == (4, 4, 1)
    names = zipfile.ZipFile(BytesIO(bytes(election.count.bundle))).namelist()
    assert "2026-board/recount.py" in names
    with pytest.raises(Refusal, match="Complaints can be made until"):
        declare_election(actor=frozen.runs, election=election, at=made.CLOSES + DAY)
    declare_election(actor=frozen.runs, election=election, at=made.COMPLAINTS_END)
    seated = SeatTerm.objects.filter(seat__number__gte=21, entry="elected").order_by("seat__number")
    assert [str(term.user) for term in seated][2:] == ["Acme-Owner"]
    assert {str(term.user) for term in seated[:2]} == {"Cora", "Carl"}


def congratulated() -> list[str]:
    found = OutboxMail.objects.filter(key__contains=":elected:")
    return sorted(mail.recipient.partition("@")[0] for mail in found)


def test_after_a_rehearsal_nobody_is_told_that_they_are_elected(
    ceremony: Ceremony, registrar: RegistrarOffice, box: BoxOffice, clock: offices.Clock
) -> None:
    Election.objects.update(is_rehearsal=True)
    ceremony.election.refresh_from_db()
    ceremony.make_keys()
    ceremony.split()
    ceremony.freeze(registrar, box)
    credential(entries(ceremony.election)[0], registrar).cast(box, 0)
    clock.now = made.CLOSES
    close_due(box=box, at=made.CLOSES)
    ceremony.election.refresh_from_db()
    ceremony.tell(at=made.CLOSES)
    assert count_due(registrar=registrar, box=box, at=made.CLOSES) == 1
    assert outcomes.elected(made.contest_of(ceremony.election, "contributors"))
    assert congratulated() == []


def test_nobody_gets_two_credentials(frozen: Ceremony, registrar: RegistrarOffice) -> None:
    entry = entries(frozen.election)[0]
    credential(entry, registrar)
    with pytest.raises(TakenError, match="given out already"):
        credential(entry, registrar)
    assert Credential.objects.count() == 1


def test_nobody_gets_the_credential_of_another(
    frozen: Ceremony, registrar: RegistrarOffice, charlie: User
) -> None:
    entry = entries(frozen.election)[0]
    with pytest.raises(NotAllowed, match="not yours"):
        issue_credential(
            actor=charlie, entry=entry, blinded=b"", registrar=registrar, at=made.OPENS
        )


@pytest.mark.parametrize("at", [made.OPENS - HOUR, made.CLOSES])
def test_credentials_are_given_while_voting_is_open(
    frozen: Ceremony, registrar: RegistrarOffice, at: object
) -> None:
    with pytest.raises(Refusal, match="Voting is not open"):
        credential(entries(frozen.election)[0], registrar, at)  # type: ignore[arg-type]


def test_what_is_no_blinded_message_is_refused_in_words(
    frozen: Ceremony, registrar: RegistrarOffice
) -> None:
    entry = entries(frozen.election)[0]
    with pytest.raises(Refusal, match="The registrar refused"):
        issue_credential(
            actor=entry.voter, entry=entry, blinded=b"x", registrar=registrar, at=made.OPENS
        )
    assert not Credential.objects.exists()


def test_a_credential_that_nobody_wrote_down_is_caught_up_with(
    frozen: Ceremony, registrar: RegistrarOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object, **__: object) -> None:
        raise SystemExit

    monkeypatch.setattr("governance.actions.credential.note_issued", die)
    with pytest.raises(SystemExit):
        credential(entries(frozen.election)[0], registrar)
    monkeypatch.undo()
    assert not Credential.objects.exists()
    assert note_all_issued(registrar=registrar, at=made.OPENS) == 1
    assert Credential.objects.get().entry == entries(frozen.election)[0]
    assert note_all_issued(registrar=registrar, at=made.OPENS) == 0


def test_one_who_withdraws_stays_on_the_ballot_and_is_not_elected(
    frozen: Ceremony, registrar: RegistrarOffice, box: BoxOffice, clock: offices.Clock
) -> None:
    cora = Candidacy.objects.get(name="Cora")
    for entry in entries(frozen.election):
        credential(entry, registrar).cast(box, number_of("Cora"), number_of("Cleo"))
    leave(actor=cora.user, candidacy=cora, at=made.OPENS)
    clock.now = made.CLOSES
    close_due(box=box, at=made.CLOSES)
    frozen.election.refresh_from_db()
    frozen.tell(at=made.CLOSES)
    assert count_due(registrar=registrar, box=box, at=made.CLOSES) == 1
    contest = made.contest_of(frozen.election, "contributors")
    told = outcomes.of_contest(contest)
    assert number_of("Cora") in told.everybody.elected
    assert "Cora" not in {one.name for one in outcomes.elected(contest)}


def test_the_manifest_is_not_written_while_anything_is_missing(
    ceremony: Ceremony, registrar: RegistrarOffice, box: BoxOffice
) -> None:
    with pytest.raises(Refusal, match="Two officers have to be named"):
        ceremony.freeze(registrar, box)
    ceremony.make_keys()
    with pytest.raises(Refusal, match="not made and split"):
        ceremony.freeze(registrar, box)
    ceremony.split()
    ceremony.election.scrutineers.filter(place=3).update(confirmed_at=None)
    with pytest.raises(Refusal, match="Scrutineer3: Check your share"):
        ceremony.freeze(registrar, box)


def test_a_manifest_can_be_taken_back_until_the_second_officer_signs(
    ceremony: Ceremony, registrar: RegistrarOffice, box: BoxOffice
) -> None:
    ceremony.make_keys()
    ceremony.split()
    keys = OfficeKeys(
        box.key("2026-board"),
        {
            contest.id_on_the_board: registrar.key(contest.id_on_the_board)
            for contest in ceremony.election.contests.all()
        },
    )
    write = {"actor": ceremony.runs, "election": ceremony.election, "at": ceremony.at}
    write_manifest(keys=keys, **write)  # type: ignore[arg-type]
    ceremony.election.refresh_from_db()
    first, second = ceremony.election.officers.order_by("place")
    with pytest.raises(Refusal, match="no signature of this manifest"):
        sign_manifest(
            actor=second.user,
            officer=second,
            signature=ceremony.signature(first),
            at=ceremony.at,
        )
    sign_manifest(
        actor=first.user, officer=first, signature=ceremony.signature(first), at=ceremony.at
    )
    take_back_manifest(**write)  # type: ignore[arg-type]
    ceremony.election.refresh_from_db()
    assert (ceremony.election.state, ceremony.election.manifest) == ("announced", "")
    assert not RollEntry.objects.exclude(number=None).exists()
    assert not ceremony.election.officers.exclude(signature="").exists()
    ceremony.freeze(registrar, box)
    with pytest.raises(Refusal, match="no manifest that waits"):
        take_back_manifest(**write)  # type: ignore[arg-type]
