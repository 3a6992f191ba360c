"""A resolution takes the place of an older one, on the day on which it takes effect."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from governance import tasks
from governance.actions.meeting_vote import record_meeting_vote
from governance.actions.motion import draft_motion, edit_motion, second_motion
from governance.actions.superseding import supersede_due
from governance.models import Body, Motion, Vote
from governance.refusals import Refusal
from governance.tests.conftest import DAY, HOUR, START, make_decided
from portal.accounts.models import User
from tests.shared import shared

pytestmark = pytest.mark.django_db
CARRIED = dict.fromkeys(range(4), "yes")
VOICES = dict.fromkeys(range(1, 5), Vote.Choice.YES)


@shared
def old(board: Body, directors: list[User]) -> Motion:
    return make_decided(board, directors, "Within three days", CARRIED)


def successor(old: Motion, people: list[User], keeper: User, days: int = 0) -> Motion:
    """Carried now in a meeting, in force so many days later."""
    draft = draft_motion(
        actor=people[0],
        body=old.body,
        subject="ordinary",
        title="Within one day",
        summary="Sooner.",
        text="Within one day.",
        supersedes=old,
        takes_effect_on=(START + timedelta(days=days)).date() if days else None,
        at=START - HOUR,
    )
    second_motion(actor=people[1], motion=draft, at=START - HOUR)
    return record_meeting_vote(actor=keeper, motion=draft, voices=VOICES, voted_at=START, at=START)


def test_the_old_one_is_superseded_at_once(
    old: Motion, directors: list[User], frank: User, client: Client
) -> None:
    new = successor(old, directors, frank)
    old.refresh_from_db()
    assert (old.state, old.superseded_by, old.superseded_on) == (
        Motion.State.SUPERSEDED,
        new,
        START.date(),
    )
    assert new.effective_on == START.date()
    assert list(Motion.objects.in_force(START.date())) == [new]
    assert old in Motion.objects.in_force((START - DAY).date())
    page = client.get(old.get_absolute_url()).content.decode()
    assert f"Resolution {new.resolution} takes its place" in page
    assert "Takes the place of" in client.get(new.get_absolute_url()).content.decode()


def test_a_later_day_of_effect_is_waited_for(
    old: Motion, directors: list[User], frank: User
) -> None:
    new = successor(old, directors, frank, days=5)
    old.refresh_from_db()
    assert (old.state, old.superseded_by) == (Motion.State.ADOPTED, new)
    assert new.force(START.date()) == "later"
    assert list(Motion.objects.in_force(START.date())) == [old]
    assert supersede_due(at=START + 4 * DAY) == 0
    assert supersede_due(at=START + 5 * DAY) == 1
    assert supersede_due(at=START + 6 * DAY) == 0
    old.refresh_from_db()
    assert old.force((START + 5 * DAY).date()) == old.state == "superseded"
    tasks.supersede_due()
    tasks.lapse_due()


def test_what_is_not_in_force_has_no_successor(
    old: Motion, board: Body, directors: list[User], frank: User
) -> None:
    failed = make_decided(board, directors, "Lost", dict.fromkeys(range(4), "no"))
    with pytest.raises(Refusal, match="not in force any more"):
        successor(failed, directors, frank)
    successor(old, directors, frank)
    old.refresh_from_db()
    draft = draft_motion(
        actor=directors[0],
        body=board,
        subject="ordinary",
        title="Again",
        summary="Again.",
        text="Again.",
        at=START,
    )
    with pytest.raises(Refusal, match="not in force any more"):
        edit_motion(
            actor=directors[0],
            motion=draft,
            subject="ordinary",
            title="Again",
            summary="Again.",
            text="Again.",
            supersedes=old,
            at=START,
        )


def test_the_database_changes_no_decision(old: Motion) -> None:
    for wrong in ({"state": "failed"}, {"state": "superseded"}, {"number": 9}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Motion.objects.filter(pk=old.pk).update(**wrong)


def test_the_index_filters(
    client: Client, old: Motion, board: Body, directors: list[User], frank: User
) -> None:
    successor(old, directors, frank)
    make_decided(board, directors, "Other one", CARRIED)
    titles = {"Within three days", "Within one day", "Other one"}
    for query, found in [
        ("", titles),
        ("?state=in_force", {"Within one day", "Other one"}),
        ("?state=superseded", {"Within three days"}),
        ("?state=later", set()),
        ("?q=within&body=board", {"Within three days", "Within one day"}),
        ("?year=1999", titles),
        (f"?year={START.year}&state=nonsense", titles),
        ("?q=nothing", set()),
    ]:
        text = client.get(f"/governance/resolutions/{query}").content.decode()
        assert {title for title in titles if title in text} == found, query
    table = client.get("/governance/resolutions.csv?state=superseded").content.decode()
    assert "Within three days" in table
    assert "Within one day" not in table


def test_the_index_says_what_will_be_here(client: Client) -> None:
    assert "No resolution yet" in client.get("/governance/resolutions/").content.decode()
