"""Where one's own vote is missing, for programs. Votes are cast on the site alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import chain
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Schema

from governance.waiting import answers, elections
from governance.waiting.everything import NEVER
from governance.waiting.waiting import Waiting
from portal.accounts.models import ApiToken, User
from portal.accounts.tokens import TokenAuth, TokenScope

router = Router(tags=["votes"])

KINDS: Final = {
    "motion": answers.votes,
    "election": elections.votes,
    "consent": answers.signatures,
    "consensus": answers.positions,
}


class OpenVote(Schema):
    """One thing that waits for a voice."""

    kind: str = Field(description="motion, election, consent or consensus", examples=["motion"])
    title: str = Field(examples=["Answer reports of security faults within three days"])
    body: str = Field(examples=["Board"])
    act: str = Field(description="what is asked", examples=["Vote"])
    note: str = Field(examples=["2 votes are missing."])
    until: datetime | None = Field(description="null where it has no end")
    address: str = Field(
        description="the page where it is done",
        examples=["https://portal.example.org/governance/motions/2026-05/"],
    )


class OpenVotes(Schema):
    """What ends first stands first."""

    votes: list[OpenVote]


@router.get(
    "",
    auth=TokenAuth(TokenScope.READ_VOTES),
    response=OpenVotes,
    url_name="open_votes",
    summary="Where one's own vote is missing",
)
def open_votes(request: HttpRequest) -> dict[str, Any]:
    """Votes, elections, signatures and positions that wait for the owner of the token.

    A token casts none: a vote is cast on the site, by who has signed in there.
    """
    user, now = _owner(request), timezone.now()
    found = chain.from_iterable(_told(kind, ask(user, now)) for kind, ask in KINDS.items())
    return {"votes": sorted(found, key=lambda vote: vote["until"] or NEVER)}


def _told(kind: str, waiting: Iterable[Waiting]) -> Iterable[dict[str, Any]]:
    for each in waiting:
        yield {
            "kind": kind,
            "title": each.title,
            "body": each.place,
            "act": each.act,
            "note": each.note,
            "until": each.until,
            "address": f"{settings.BASE_URL}{each.url}",
        }


def _owner(request: HttpRequest) -> User:
    token = getattr(request, "auth", None)
    assert isinstance(token, ApiToken)  # noqa: S101  (TokenAuth lets nobody else in)
    return token.user
