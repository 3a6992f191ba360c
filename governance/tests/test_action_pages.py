"""The list of action items, and what is done with them there."""

from datetime import timedelta

import pytest
from django.test import Client

from governance.actions.action_item import give_action_item
from governance.models import ActionItem, Body, Meeting
from governance.tests.conftest import START
from governance.tests.meeting_cast import make_meeting
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
ALL = "/governance/actions/"
DUE = (START + timedelta(days=14)).date()


@shared
def meeting(board: Body, directors: list[User]) -> Meeting:
    return make_meeting(directors[0], board, days=-20)


@shared
def item(meeting: Meeting, directors: list[User]) -> ActionItem:
    return give_action_item(
        actor=directors[0],
        meeting=meeting,
        text="Publish it",
        owner=directors[1],
        due=DUE,
        at=START,
    )


def said(
    client: Client, path: str, data: dict[str, object] | None = None, status: int = 200
) -> str:
    answer = client.post(path, data or {}, follow=True)
    assert answer.status_code == status
    return answer.content.decode()


def test_an_empty_list_says_what_will_be_here(client: Client, db: None) -> None:
    assert "No action items yet" in client.get(ALL).content.decode()
    assert "Nothing matches" in client.get(f"{ALL}?state=done").content.decode()


def test_it_is_noted_from_the_record(meeting: Meeting, directors: list[User]) -> None:
    chair, there = sign_in(directors[0]), f"{meeting.get_absolute_url()}actions/"
    refused = said(chair, there, {"text": "Call them"}, 422)
    assert "Choose who does it, or write the name." in refused
    assert "Call them" in refused
    sent = {"text": "Call them", "owner": directors[1].pk, "due": DUE.isoformat()}
    noted = said(chair, there, {**sent, "next": f"{meeting.get_absolute_url()}record/#actions"})
    assert "The action item is noted." in noted
    assert "Save the record" in noted
    elsewhere = chair.post(there, {**sent, "next": "https://evil.example/"})
    assert elsewhere["Location"] == meeting.get_absolute_url()
    meeting.cancelled_because, meeting.cancelled_at = "Ill.", START
    meeting.save()
    assert "cancelled" in said(chair, there, sent)


def test_the_owner_acts_and_others_do_not(item: ActionItem, directors: list[User]) -> None:
    bea, cyd = sign_in(directors[1]), sign_in(directors[2])
    assert "More" in bea.get(f"{ALL}?mine=yes").content.decode()
    assert "Publish it" in cyd.get(ALL).content.decode()
    assert "Only Bea" in said(cyd, f"{ALL}{item.pk}/done/")
    assert "Noted." in said(bea, f"{ALL}{item.pk}/done/", {"next": f"{ALL}?mine=yes"})
    assert "Publish it" in bea.get(f"{ALL}?state=done").content.decode()
    said(bea, f"{ALL}{item.pk}/reopen/")
    later = (DUE + timedelta(days=7)).isoformat()
    said(bea, f"{ALL}{item.pk}/move/", {"due": later})
    item.refresh_from_db()
    assert (item.done_at, str(item.due)) == (None, later)
    assert "not a day" in said(bea, f"{ALL}{item.pk}/move/", {"due": "soon"})
    assert "Say why" in said(bea, f"{ALL}{item.pk}/drop/")
    said(bea, f"{ALL}{item.pk}/drop/", {"reason": "No money."})
    assert "No money." in bea.get(f"{ALL}?state=dropped&body=board").content.decode()


def test_strangers_see_nothing_of_it(client: Client, item: ActionItem, charlie: User) -> None:
    assert "Publish it" not in client.get(ALL).content.decode()
    assert sign_in(charlie).post(f"{ALL}{item.pk}/done/").status_code == 404
    assert "Publish it" not in client.get(item.meeting.get_absolute_url()).content.decode()


def test_the_overdue_ones_are_found(item: ActionItem, directors: list[User]) -> None:
    ada = sign_in(directors[0])
    assert "Publish it" not in ada.get(f"{ALL}?state=overdue").content.decode()
    ActionItem.objects.update(due=START.date() - timedelta(days=2))
    page = ada.get(f"{ALL}?state=overdue").content.decode()
    assert "Publish it" in page
    assert "Overdue" in page
    assert "Publish it" in ada.get(item.meeting.get_absolute_url()).content.decode()
