"""Letters to those who write the news. Each has a key, so that none is sent twice."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role
from portal.lib import outbox
from portal.news.models import Announcement, Occasion, State

PAUSE: Final = dt.timedelta(days=1)


def editors(at: dt.datetime) -> list[User]:
    """Who writes the news; the staff where nobody holds that role."""
    grants = RoleGrant.objects.active_on(at)
    for role in (Role.EDITOR, Role.STAFF):
        people = User.objects.filter(
            pk__in=grants.filter(role=role).values("user_id"), is_active=True
        )
        if people:
            return list(people)
    return []


@transaction.atomic
def tell_of_drafts(*, at: dt.datetime) -> int:
    """Drafts that the portal made, in one letter to each editor, at most once a day; how many."""
    if Occasion.objects.filter(told_at__gt=at - PAUSE).exists():
        return 0
    waiting = Occasion.objects.untold().select_related("announcement")
    found = list(waiting.select_for_update(of=("self",), skip_locked=True))
    if not found:
        return 0
    for person in editors(at):
        outbox.enqueue(
            to=person.email,
            template="news/drafts",
            context={
                "person": person.name or person.email,
                "count": len(found),
                "drafts": [_line(occasion.announcement) for occasion in found],
                "url": settings.BASE_URL + reverse("news:desk") + "?state=draft",
            },
            key=f"news:drafts:{found[0].pk}:{person.pk}",
        )
    Occasion.objects.filter(pk__in=[occasion.pk for occasion in found]).update(told_at=at)
    return len(found)


@transaction.atomic
def tell_of_published(*, at: dt.datetime) -> int:
    """To who scheduled it: its moment has come, and it is public; how many."""
    due = Announcement.objects.in_state(State.PUBLISHED, at).filter(told_at__isnull=True)
    found = list(due.select_for_update(of=("self",), skip_locked=True))
    for announcement in found:
        person = announcement.published_by
        assert announcement.published_at is not None  # noqa: S101 - the query asked for it
        if person is not None and person.is_active:
            stamp = f"{announcement.published_at:%Y%m%dT%H%M%S}"
            outbox.enqueue(
                to=person.email,
                template="news/published",
                context={
                    "person": person.name or person.email,
                    "announcement": announcement,
                    "url": settings.BASE_URL + announcement.get_absolute_url(),
                },
                key=f"news:published:{announcement.pk}:{stamp}",
            )
    Announcement.objects.filter(pk__in=[one.pk for one in found]).update(told_at=at)
    return len(found)


def _line(announcement: Announcement) -> tuple[str, str]:
    return announcement.title, settings.BASE_URL + announcement.desk_url
