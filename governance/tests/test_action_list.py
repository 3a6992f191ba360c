"""The list of action items: found, put in order, marked when late, taken away as CSV."""

from datetime import date, timedelta

import pytest
from django.test import Client

from governance.actions.action_item import (
    drop_action_item,
    finish_action_item,
    give_action_item,
)
from governance.models import ActionItem, Body
from governance.tests.conftest import START
from governance.tests.meeting_cast import make_meeting
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
ALL, CSV = "/governance/actions/", "/governance/actions.csv"
TODAY = START.date()


@pytest.fixture
def chair(board: Body, directors: list[User]) -> Client:
    """Ada, who sees four items: one late, one to come, one done, one dropped."""
    meeting = make_meeting(directors[0], board, days=-20)

    def give(text: str, person: User, due: date | None) -> ActionItem:
        return give_action_item(
            actor=directors[0], meeting=meeting, text=text, owner=person, due=due, at=START
        )

    give("Publish the budget", directors[1], TODAY + timedelta(days=9))
    give("Call the auditor", directors[0], TODAY - timedelta(days=5))
    done = give("=Thank them", directors[2], None)
    finish_action_item(actor=directors[2], item=done, at=START)
    dropped = give("Move house", directors[3], None)
    drop_action_item(actor=directors[3], item=dropped, reason="No money.", at=START)
    return sign_in(directors[0])


def order(client: Client, **asked: str) -> list[str]:
    rows = client.get(ALL, asked).context["rows"]
    return [row["item"].text.split()[0] for row in rows]


def test_the_order_is_chosen(chair: Client) -> None:
    assert order(chair) == ["Call", "Publish", "=Thank", "Move"]
    assert order(chair, sort="newest")[-1] == "Publish"
    assert order(chair, sort="who") == ["Call", "Publish", "=Thank", "Move"]
    assert order(chair, sort="body")[0] == "Call"
    assert order(chair, sort="nonsense")[0] == "Call"


def test_words_names_and_states_find_them(chair: Client) -> None:
    assert order(chair, q="AUDITOR") == ["Call"]
    assert order(chair, q="bea") == ["Publish"]
    assert order(chair, state="done") == ["=Thank"]
    assert order(chair, state="dropped") == ["Move"]
    assert order(chair, state="open") == ["Call", "Publish"]
    assert order(chair, body="board", mine="yes") == ["Call"]
    assert "Nothing matches" in chair.get(ALL, {"q": "none"}).content.decode()


def test_what_is_late_says_by_how_much(chair: Client) -> None:
    page = chair.get(ALL).content.decode()
    assert "5 days late" in page
    assert page.count("late</span>") == 1


def test_the_same_leaves_as_csv(chair: Client, client: Client) -> None:
    lines = b"".join(chair.get(CSV, {"sort": "who"})).decode().splitlines()
    assert lines[0] == "what,who,due,state,days_overdue,done,dropped_because,body,meeting"
    assert lines[1].startswith(f"Call the auditor,Ada,{TODAY - timedelta(days=5)},overdue,5,,")
    assert lines[3].startswith("'=Thank them,Cyd,,done,")
    assert "No money." in lines[4]
    assert f"{CSV}?sort=who" in chair.get(ALL, {"sort": "who"}).content.decode()
    assert len(b"".join(client.get(CSV)).splitlines()) == 1
    assert order(client, mine="yes") == []
