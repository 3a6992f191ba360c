"""Open votes for programs: one's own, and a token casts none."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from governance.models import Motion
from governance.tests.conftest import CastVotes
from portal.accounts.actions.token import issue_token
from portal.accounts.models import User
from portal.accounts.tokens import TokenScope

pytestmark = pytest.mark.django_db


def votes_of(user: User, client: Client) -> list[dict[str, Any]]:
    end = timezone.now() + dt.timedelta(days=1)
    scopes = [TokenScope.READ_VOTES]
    _, raw = issue_token(actor=user, name="shell", scopes=scopes, expires_at=end)
    answer = client.get("/api/v1/votes", headers={"Authorization": f"Bearer {raw}"})
    assert answer.status_code == 200
    return list(answer.json()["votes"])


def test_an_open_vote_is_told_with_its_page_until_it_is_given(
    motion: Motion, directors: list[User], vote: CastVotes, client: Client
) -> None:
    [told] = votes_of(directors[1], client)
    assert (told["kind"], told["act"], told["title"]) == ("motion", "Vote", motion.title)
    assert told["address"] == f"{settings.BASE_URL}{motion.get_absolute_url()}"
    assert dt.datetime.fromisoformat(told["until"]) == motion.deadline
    vote(bea="yes")
    assert votes_of(directors[1], client) == []


def test_a_stranger_has_no_open_votes(motion: Motion, charlie: User, client: Client) -> None:
    assert votes_of(charlie, client) == []
