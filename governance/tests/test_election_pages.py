"""The pages of elections: read by everybody, prepared and announced by who runs them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from governance.models import Body, Contest, Election, Seat
from governance.tests import elections as made
from governance.tests.conftest import DAY, START, make_seat
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
ALL = "/governance/elections/"
HERE = f"{ALL}2026-board/"
NEW = f"{ALL}new/"


@shared
def officer() -> User:
    return made.make_officer()


@pytest.fixture
def desk(officer: User) -> Client:
    return sign_in(officer)


@shared
def election(board: Body, officer: User) -> Election:
    return made.make_election(board, officer)


def text(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def filled(desk: Client, path: str) -> dict[str, object]:
    """What a browser would send of the form at `path`, unchanged."""
    context = desk.get(path).context
    sent: dict[str, object] = {}
    for form in [context["form"], *context["contests"]]:
        for field in form:
            value = field.value()
            if value is None or value is False or value == "" or field.field.disabled:
                continue
            sent[field.html_name] = "on" if value is True else _sent(value)
    return sent


def _sent(value: Any) -> object:
    """As a browser sends it; moments come from the form in UTC."""
    if isinstance(value, list):
        return [getattr(each, "pk", each) for each in value]
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M")
    return value


def test_an_empty_list_says_what_will_be_here(client: Client, board: Body, desk: Client) -> None:
    assert "No elections yet" in text(client, ALL)
    assert "Prepare the first" not in text(client, ALL)
    assert "Prepare the first" in text(desk, ALL)
    assert "No election matches" in text(client, f"{ALL}?q=nothing")


def test_the_list_has_what_is_open_what_comes_and_what_is_over(
    client: Client, board: Body, officer: User, election: Election
) -> None:
    assert "Coming" in text(client, ALL)
    Election.objects.update(
        state="frozen",
        frozen_at=START,
        manifest_sha256="a" * 64,
        nominations_open_at=START - 9 * DAY,
        nominations_close_at=START - 5 * DAY,
        record_at=START - 8 * DAY,
        objections_close_at=START - 5 * DAY,
        opens_at=START - 2 * DAY,
    )
    assert "Voting now" in text(client, ALL)
    made.make_election(board, officer, name="2027-board", title="Another")
    page = text(client, f"{ALL}?q=another")
    assert ("2027-board" in page, "2026-board" in page) == (True, False)
    assert "2027-board" in text(client, f"{ALL}?body=board")


def test_a_draft_is_on_the_list_of_who_runs_it_alone(
    client: Client, board: Body, officer: User, desk: Client
) -> None:
    made.make_draft(board, officer)
    assert "2026-board" not in text(client, ALL)
    assert "2026-board" in text(desk, ALL)
    text(client, HERE, 404)
    assert "Announce it" in text(desk, HERE)


def test_the_page_has_calendar_rules_level_and_record(client: Client, election: Election) -> None:
    page = text(client, HERE)
    for said in (
        "Nominations open",
        "Objections to the roll",
        "Sealed ballots",
        "Scotland",
        "Announced.",
        "Sign in to see whether you may vote",
        f"{ALL}2026-board.ics",
    ):
        assert said in page
    assert "Call it off" not in page


def test_a_rehearsal_says_that_it_is_one(client: Client, board: Body, officer: User) -> None:
    made.make_election(board, officer, is_rehearsal=True)
    assert "This is a rehearsal" in text(client, HERE)


def test_programs_read_the_same(client: Client, election: Election) -> None:
    data = json.loads(text(client, f"{ALL}2026-board.json"))
    assert data["stage"] == "Nominations open"
    assert [each["seats"] for each in data["contests"]] == [2, 1]
    assert data["calendar"][0]["window"] == "nominations"
    calendar = text(client, f"{ALL}2026-board.ics").replace("\r\n ", "")
    assert calendar.count("BEGIN:VEVENT") == 5
    assert "UID:2026-board-voting@" in calendar
    Election.objects.update(state="draft", announced_at=None)
    assert client.get(f"{ALL}2026-board.json").status_code == 404
    assert client.get(f"{ALL}2026-board.ics").status_code == 404


def test_an_election_is_drafted_with_the_dates_that_are_offered(desk: Client, board: Body) -> None:
    seats = [
        make_seat(board, 30 + number, constituency=Seat.Constituency.MEMBERS) for number in (1, 2)
    ]
    sent = filled(desk, NEW)
    assert "members-included" in sent
    sent.pop("contributors-included", None)
    sent |= {"members-seats": [seat.pk for seat in seats], "members-places": "2"}
    answer = desk.post(NEW, sent)
    assert answer.status_code == 302
    election = Election.objects.get()
    contest = election.contests.get()
    assert (contest.constituency, contest.places, contest.seats.count()) == ("members", 2, 2)
    assert election.nominations_close_at <= election.opens_at
    assert "2 seats" in text(desk, election.get_absolute_url())


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("opens_at", "2000-01-01T12:00", "Not before nominations close."),
        ("closes_at", "2000-01-01T12:00", "Later than voting opens."),
        ("objections_close_at", "2000-01-01T12:00", "Later than the record date."),
        ("complaints_close_at", "2000-01-01T12:00", "Later than voting closes."),
        ("name", "new", "Choose another"),
        ("shares_needed", "0", "At least one scrutineer"),
        ("members-quorum_percent", "101", "100 percent"),
        ("members-most_of_one_affiliation", "0", "one seat or more"),
        ("members-places", "3", "1 seats are ticked"),
    ],
)
def test_what_is_wrong_stands_at_its_field(
    desk: Client, board: Body, field: str, value: str, said: str
) -> None:
    seat = make_seat(board, 31, constituency=Seat.Constituency.MEMBERS)
    sent = filled(desk, NEW) | {"members-seats": [seat.pk], field: value}
    answer = desk.post(NEW, sent)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Election.objects.exists()


def test_instant_runoff_fills_one_seat(desk: Client, board: Body) -> None:
    sent = filled(desk, NEW) | {"members-included": "on", "members-method": "irv"}
    answer = desk.post(NEW, sent | {"members-places": "2"})
    assert "Instant-runoff voting fills one seat" in answer.content.decode()
    assert desk.post(NEW, sent | {"members-places": "1"}).status_code == 302


def test_a_contest_that_is_not_held_is_not_asked_for(desk: Client, board: Body) -> None:
    sent = filled(desk, NEW) | {"members-places": "", "members-quorum_percent": "900"}
    sent.pop("members-included", None)
    assert desk.post(NEW, sent).status_code == 302
    assert not Contest.objects.filter(constituency="members").exists()


def test_a_draft_changes_whole_and_what_was_announced_its_dates(
    desk: Client, board: Body, officer: User
) -> None:
    draft = made.make_draft(board, officer)
    sent = filled(desk, f"{HERE}edit/")
    sent.pop("contributors-included")
    assert desk.post(f"{HERE}edit/", sent | {"title": "Anew"}).status_code == 302
    assert [each.constituency for each in draft.contests.all()] == ["members"]
    assert desk.post(f"{HERE}announce/").status_code == 302
    page = text(desk, f"{HERE}edit/")
    assert "members-included" not in page
    sent = filled(desk, f"{HERE}edit/") | {"closes_at": "2030-01-01T12:00", "name": "stolen"}
    sent["complaints_close_at"] = "2030-02-01T12:00"
    assert desk.post(f"{HERE}edit/", sent).status_code == 302
    draft.refresh_from_db()
    assert (draft.title, draft.name, draft.closes_at.year) == ("Anew", "2026-board", 2030)
    assert "Changed: voting closes" in text(desk, HERE)


def test_who_calls_it_off_says_why_and_everybody_reads_it(
    client: Client, desk: Client, election: Election
) -> None:
    assert "Say why" in desk.post(f"{HERE}cancel/", follow=True).content.decode()
    desk.post(f"{HERE}cancel/", {"reason": "The roll was wrong."})
    page = text(client, HERE)
    assert "Called off on" in page
    assert "The roll was wrong." in page
    assert desk.get(f"{HERE}edit/").status_code == 302


def test_others_do_not_prepare_or_change_elections(
    election: Election, charlie: User, client: Client
) -> None:
    stranger = sign_in(charlie)
    for path in (NEW, f"{HERE}edit/", f"{HERE}letters/"):
        assert stranger.get(path).status_code == 403
    for path in ("announce/", "cancel/"):
        assert stranger.post(HERE + path).status_code == 403
        assert stranger.get(HERE + path).status_code == 302
    assert client.get(NEW).status_code == 302


def test_many_candidates_and_seconds_are_asked_for_as_often_as_few(
    client: Client, election: Election
) -> None:
    second = made.make_contributor("second")
    made.put_forward(election, "contributors", made.make_contributor("ann"), seconded_by=second)
    few = asked(client)
    for name in ("cat", "dan"):
        made.put_forward(election, "contributors", made.make_contributor(name), seconded_by=second)
    assert asked(client) == few
    assert text(client, HERE).count(" seconded ") == 3


def test_who_holds_keys_is_named_in_order(
    client: Client, election: Election, officer: User
) -> None:
    made.make_ceremony(election, officer).make_keys()
    page = " ".join(text(client, HERE).split())
    assert "2 of 3 scrutineers open the ballots together: Scrutineer1, Scrutineer2" in page
    assert "signed by: Signer1, Signer2." in page


def asked(client: Client) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(HERE).status_code == 200
    return len(queries)
