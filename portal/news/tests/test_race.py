"""Several at once: one draft for what happened, one version of two, one report of a quarter."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import close_old_connections, connection
from django.utils import timezone

from portal.lib.models import AuditEntry
from portal.news.actions.announcement import ChangedMeanwhileError, NewsError, change_announcement
from portal.news.actions.occasion import draft_for
from portal.news.actions.publication import publish_announcement
from portal.news.models import Announcement, Occasion, ReportFigures, State
from portal.news.tests.rows import report, words, written

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
MANY = 8


def at_once(act: Callable[[int], object]) -> list[object]:
    """What `act` answered or raised, in as many threads that begin together."""
    start = Barrier(MANY)

    def one(number: int) -> object:
        start.wait()
        try:
            return act(number)
        except (ChangedMeanwhileError, NewsError) as error:
            return error
        finally:
            connection.close()

    close_old_connections()
    with ThreadPoolExecutor(MANY) as threads:
        return list(threads.map(one, range(MANY)))


def test_what_happened_makes_one_draft_however_many_notice() -> None:
    made = at_once(lambda number: draft_for(key="release:1", text=words("made")))
    assert [isinstance(one, Announcement) for one in made].count(True) == 1
    assert made.count(None) == MANY - 1
    assert Occasion.objects.count() == Announcement.objects.count() == 1


def test_of_many_who_save_one_version_one_saves() -> None:
    draft = written("shared")

    def save(number: int) -> Announcement:
        text = words("shared", body=f"By {number}.")
        at = timezone.now()
        return change_announcement(actor=None, announcement=draft, text=text, seen=1, at=at)

    saved = at_once(save)
    assert [isinstance(one, ChangedMeanwhileError) for one in saved].count(False) == 1
    draft.refresh_from_db()
    assert (draft.version, draft.versions.count()) == (2, 2)


def test_what_is_published_is_what_was_looked_at() -> None:
    draft = written("shared")

    def act(number: int) -> Announcement:
        at = timezone.now()
        if number % 2:
            return publish_announcement(actor=None, announcement=draft, seen=1, at=at)  # type: ignore[arg-type]
        text = words("shared", body=f"By {number}.")
        return change_announcement(actor=None, announcement=draft, text=text, seen=1, at=at)

    at_once(act)
    draft.refresh_from_db()
    published = AuditEntry.objects.filter(verb="announcement.publish")
    assert [entry.detail["version"] for entry in published] in ([], [1])
    assert bool(published) == (draft.state(timezone.now()) == State.PUBLISHED)
    assert published or draft.version == 2


def test_a_quarter_has_one_report_however_many_begin() -> None:
    begun = at_once(lambda number: report())
    assert [isinstance(one, ReportFigures) for one in begun].count(True) == 1
    assert ReportFigures.objects.count() == 1
