"""The sealed elections of the demonstration: counted and open, and anybody recounts."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from governance.box.client import BallotBoxUnavailableError
from governance.demonstration import load_more
from governance.demonstrations import speakers
from governance.demonstrations.confidential import ASKED, DECLARED, UNDECIDED, WITHDREW
from governance.demonstrations.elections import ANNOUNCED
from governance.demonstrations.sealed import COUNTED, OPEN
from governance.elections import history, outcomes
from governance.elections import offices as this_site
from governance.models import ConfidentialBallot, Credential, Election, RollEntry
from governance.recount import bundle
from governance.recount.check import check
from governance.tests import offices
from portal import demonstration
from portal.accounts import demonstration as people
from portal.accounts.access import has_role_now, has_second_factor
from portal.accounts.models import User
from tests.cast import PASSWORD, sign_in
from tests.shared import shared

pytestmark = [pytest.mark.django_db, pytest.mark.proof]
HERE = f"/governance/elections/{COUNTED}/"
AT = datetime(2026, 11, 20, 18, 20, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _demonstrates(settings: Settings) -> None:
    settings.DEMONSTRATION = True
    settings.DEMONSTRATION_PASSWORD = PASSWORD


@shared
def foundation() -> User:
    """The first data of every app; the person who loads the rest."""
    with override_settings(DEMONSTRATION=True, DEMONSTRATION_PASSWORD=PASSWORD):
        demonstration.load()
    return people.person(people.FRANK)


@shared
def elections(foundation: User) -> None:
    """Loaded with registrar and box at hand; a second time finds nothing to do."""
    with (
        TemporaryDirectory() as folder,
        offices.registrar(Path(folder), offices.Clock(AT)) as registrar,
        offices.ballot_box(Path(folder), offices.Clock(AT)) as box,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(this_site, "registrar", lambda: registrar)
        patch.setattr(this_site, "ballot_box", lambda: box)
        told = list(load_more(actor=foundation, at=timezone.now()))
        assert len(told) == 5
        assert list(load_more(actor=foundation, at=AT)) == told[:1]


def test_the_counted_one_is_recounted_elsewhere_from_its_bundle_alone(
    elections: None, tmp_path: Path, client: Client
) -> None:
    answer = client.get(reverse("governance:bundle_zip", args=[COUNTED]))
    packed = tmp_path / "bundle.zip"
    packed.write_bytes(answer.content)
    zipfile.ZipFile(packed).extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", "recount.py", str(packed)],
        cwd=tmp_path / COUNTED,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    contests = Election.objects.get(name=COUNTED).contests.all()
    elected = [outcomes.elected(contest) for contest in contests]
    assert [len(each) for each in elected] == [2, 2]
    for page in (HERE, f"{HERE}result/"):
        said = client.get(page).content.decode()
        for one in [*elected[0], *elected[1]]:
            assert one.name in said
    assert client.get(HERE).content.decode().count(">elected<") == 4


def test_the_record_of_the_counted_one_is_in_the_order_of_its_life(elections: None) -> None:
    said = [each.text for each in reversed(history.events(Election.objects.get(name=COUNTED)))]
    marks = ["Announced.", "The roll was drawn", "The election key was made", "The manifest was"]
    marks += ["Frozen", "Voting closed", "Counted"]
    places = [next(n for n, text in enumerate(said) if text.startswith(mark)) for mark in marks]
    assert places == sorted(places)


def test_the_declared_one_is_recounted_and_says_who_takes_the_seat_that_is_free(
    elections: None, client: Client
) -> None:
    election = Election.objects.get(name=DECLARED)
    packed = client.get(reverse("governance:bundle_zip", args=[DECLARED])).content
    assert check(bundle.unpack(packed)).faults == []
    result = client.get(reverse("governance:result", args=[DECLARED])).content.decode()
    assert f"{WITHDREW} withdrew" in result
    [contest] = election.contests.all()
    sat = {term.user.name for seat in contest.seats.all() for term in seat.terms.all()}
    assert sat == {each.name for each in outcomes.elected(contest)}
    page = client.get(reverse("governance:result_countback", args=[DECLARED, "contributors"]))
    asked = page.context["found"].asked
    assert asked.candidacy.name not in sat | {WITHDREW}
    assert asked.candidacy.name in page.content.decode()
    body = client.get("/governance/bodies/conduct-committee/").content.decode()
    assert "1 of them vacant" in body


def test_who_signs_in_still_has_a_vote_in_the_question(elections: None) -> None:
    for name in UNDECIDED:
        ballot = sign_in(people.person(name)).get(reverse("governance:vote", args=[ASKED]))
        assert "You have not voted yet" in ballot.content.decode()
    assert ConfidentialBallot.objects.count() > 10


def test_the_visitor_still_signs_in_with_the_password_alone(elections: None) -> None:
    charlie = people.person(people.CHARLIE)
    assert not has_second_factor(charlie)
    assert not has_role_now(charlie), "who holds a part must set up a second factor"


def test_members_nominate_and_stand_on_the_roll_of_the_one_to_come(elections: None) -> None:
    members = Election.objects.get(name=ANNOUNCED).contests.get(constituency="members")
    assert members.roll.count() == len(speakers.SPEAKERS)
    assert members.candidacies.standing().exists()


def test_a_voter_of_the_open_one_gets_a_ballot(elections: None) -> None:
    dana = people.person(people.DANA)
    assert RollEntry.objects.filter(contest__election__name=OPEN, voter=dana).exists()
    page = sign_in(dana).get(reverse("governance:vote", args=[OPEN])).content.decode()
    assert 'data-contest="council-seats/contributors"' in page
    assert "data-issued" not in page
    Credential.objects.create(entry=RollEntry.objects.get(contest__election__name=OPEN, voter=dana))
    page = sign_in(dana).get(reverse("governance:vote", args=[OPEN])).content.decode()
    assert 'data-issued="yes"' in page
    stranger = sign_in(people.person(people.HEIDI))
    refused = stranger.get(reverse("governance:vote", args=[OPEN]), follow=True)
    assert "not on the roll" in refused.content.decode()


def test_without_registrar_and_box_the_open_one_waits(foundation: User, settings: Settings) -> None:
    settings.BOX_SOCKET = Path("/nowhere/box.sock")
    told = list(load_more(actor=foundation, at=AT))
    assert [text.startswith("no open election") for text in told].count(True) == 1
    assert not Election.objects.filter(name=OPEN).exists()
    with pytest.raises(BallotBoxUnavailableError):
        this_site.ballot_box().ping()
