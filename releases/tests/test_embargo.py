"""Until it is published a release is nowhere: not its page, its files, nor a word about it."""

from __future__ import annotations

import datetime as dt

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases.actions.schedule import schedule_release
from releases.models import Release
from releases.tests.surfaces import OWN, SERIES, SHARED, VERSION


def schedule(actor: User, release: Release) -> None:
    now = timezone.now()
    schedule_release(actor=actor, release=release, moment=now + dt.timedelta(hours=1), at=now)


def body(answer: HttpResponseBase) -> str:
    return b"".join(answer).decode(errors="replace")


@pytest.mark.parametrize("is_scheduled", [False, True], ids=["draft", "scheduled"])
def test_before_it_is_published_every_surface_is_silent(
    dana: User, draft: Release, client: Client, is_scheduled: bool
) -> None:
    if is_scheduled:
        schedule(dana, draft)
    answers = {path: client.get(path) for path in OWN}
    assert {path: found.status_code for path, found in answers.items()} == dict.fromkeys(OWN, 404)
    told = {
        path for path in SHARED if SERIES in (page := body(client.get(path))) or VERSION in page
    }
    assert told == set()
    assert [path for path in SHARED if client.get(path).status_code != 200] == []


def test_once_it_is_published_every_surface_answers(release: Release, client: Client) -> None:
    answers = {path: client.get(path).status_code for path in OWN + SHARED}
    assert answers == dict.fromkeys(OWN + SHARED, 200)
    heads = {path: client.head(path).status_code for path in OWN + SHARED}
    assert heads == dict.fromkeys(OWN + SHARED, 200)
    telling = ["/", "/releases/", "/releases/feed.json", "/sitemap.xml", "/repositories/"]
    assert [path for path in telling if SERIES not in body(client.get(path))] == []
