"""Who votes sees beside the ballot what they declared."""

import pytest
from django.test import Client

from governance.models import Affiliation, Interest, Motion
from governance.tests.conftest import SEATED, START, CastVotes
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def declared(directors: list[User]) -> None:
    """By Ada: shares today, a contract that is over; and an employer. By Bea: another."""
    today = START.date()
    Interest.objects.create(user=directors[0], what="A tenth of Keymaker", since=SEATED)
    Interest.objects.create(
        user=directors[0], what="A contract with Safe", since=SEATED, until=today
    )
    Interest.objects.create(user=directors[1], what="Shares of Bolt", since=SEATED)
    Affiliation.objects.create(user=directors[0], name="Halyard", since=SEATED)
    Affiliation.objects.create(user=directors[0], relation="independent", since=SEATED)


def page(motion: Motion, user: User | None = None) -> str:
    client = sign_in(user) if user else Client()
    return client.get(motion.get_absolute_url()).content.decode()


def test_ones_own_interests_of_today_stand_there(
    motion: Motion, directors: list[User], declared: None
) -> None:
    shown = page(motion, directors[0])
    assert "<details open><summary>Must you recuse?" in shown
    assert "A tenth of Keymaker" in shown
    assert "employed by Halyard" in shown
    assert "A contract with Safe" not in shown
    assert "Shares of Bolt" not in shown


def test_who_declared_nothing_is_reminded_what_recusing_is_for(
    motion: Motion, directors: list[User]
) -> None:
    assert "You have declared no interest." in page(motion, directors[2])


def test_nobody_else_sees_them_there(
    motion: Motion, directors: list[User], declared: None, vote: CastVotes, charlie: User
) -> None:
    assert "Must you recuse?" not in page(motion)
    assert "Must you recuse?" not in page(motion, charlie)
