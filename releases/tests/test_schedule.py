"""A release that is to go out at a moment in the future: once, or not at all and everybody told."""

from __future__ import annotations

import datetime as dt
import threading

import pytest
from django.db import connection
from django.utils import timezone

from portal.accounts.actions.role import end_grant
from portal.accounts.models import RoleGrant, User
from portal.lib.models import AuditEntry, OutboxMail
from releases import tasks
from releases.actions.checklist import tick_item, untick_item
from releases.actions.release import edit_release, publish_release
from releases.actions.schedule import cancel_schedule, publish_due, schedule_release
from releases.actions.upload import withdraw_upload
from releases.errors import RefusedError
from releases.models import Publication, Release
from releases.readiness import reasons_when_due
from releases.tests import factory

HOUR = dt.timedelta(hours=1)


def plan(actor: User, release: Release) -> dt.datetime:
    """Scheduled for an hour from now; that moment."""
    now = timezone.now()
    schedule_release(actor=actor, release=release, moment=now + HOUR, at=now)
    return now + HOUR


def test_it_goes_out_at_its_moment_and_not_before(dana: User, draft: Release) -> None:
    moment = plan(dana, draft)
    assert publish_due(release_id=draft.pk, at=moment - dt.timedelta(seconds=1)) == []
    assert not Release.objects.published(moment).exists()
    assert len(publish_due(release_id=draft.pk, at=moment)) == 4
    assert publish_due(release_id=draft.pk, at=moment) == []
    draft.refresh_from_db()
    assert (draft.published_by, draft.published_at) == (dana, moment)
    assert draft.scheduled_for is None
    assert OutboxMail.objects.get().subject == "ExampleDB 12.3.0 is published"
    assert AuditEntry.objects.filter(verb="release.publish").count() == 1


def test_the_sweep_publishes_what_is_due_and_the_rest_follows(
    dana: User, draft: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, int]] = []
    monkeypatch.setattr(tasks.publish, "delay", lambda pk: sent.append(("publish", pk)))
    monkeypatch.setattr(tasks.sign, "delay", lambda pk: sent.append(("sign", pk)))
    plan(dana, draft)
    tasks.publish_scheduled()
    assert sent == []
    Release.objects.update(scheduled_for=timezone.now())
    tasks.publish_scheduled()
    assert [what for what, _ in sent].count("publish") == 4
    assert ("sign", draft.files.get(name__endswith=".tar.gz").pk) in sent


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_publish_once(dana: User, draft: Release) -> None:
    moment = plan(dana, draft)
    barrier = threading.Barrier(2)
    found: list[int] = []

    def sweep() -> None:
        barrier.wait()
        found.append(len(publish_due(release_id=draft.pk, at=moment)))
        connection.close()

    threads = [threading.Thread(target=sweep) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [0, 4]
    assert AuditEntry.objects.filter(verb="release.publish").count() == 1
    assert Publication.objects.count() == 4


def test_what_stands_against_it_is_said_when_it_is_scheduled(dana: User, grace: User) -> None:
    stable = factory.make_draft("11.8.9", "stable")
    factory.add_files(actor=dana, release=stable)
    with pytest.raises(RefusedError, match="second release manager"):
        plan(dana, stable)
    now = timezone.now()
    for moment, words in [(now, "in the future"), (now + 400 * 24 * HOUR, "within a year")]:
        with pytest.raises(RefusedError, match=words):
            schedule_release(actor=grace, release=stable, moment=moment, at=now)
    plan(grace, stable)


def test_what_stands_against_it_when_it_is_due_is_told_to_its_managers(
    dana: User, grace: User
) -> None:
    stable = factory.make_draft("11.8.9", "stable")
    factory.add_files(actor=dana, release=stable)
    moment = plan(grace, stable)
    untick_item(actor=dana, item=stable.checklist.get(step="tests"), at=timezone.now())
    assert publish_due(release_id=stable.pk, at=moment) == []
    stable.refresh_from_db()
    assert (stable.published_at, stable.scheduled_for) == (None, None)
    assert "The test suite passed on every platform." in stable.schedule_failure
    letters = OutboxMail.objects.filter(subject="ExampleDB 11.8.9 was NOT published")
    assert set(letters.values_list("recipient", flat=True)) == {dana.email, grace.email}
    assert "The test suite passed" in letters[0].text
    assert "/releases/manage/exampledb/11.8.9/" in letters[0].text
    assert publish_due(release_id=stable.pk, at=moment) == []
    assert letters.count() == 2


def test_files_that_came_in_later_and_a_role_that_ended_hold_it_up(
    dana: User, grace: User, draft: Release
) -> None:
    moment = plan(grace, draft)
    factory.accept(actor=dana, release=draft, name="late.zip", data=b"late")
    end_grant(actor=None, grant=RoleGrant.objects.get(user=grace))
    publish_due(release_id=draft.pk, at=moment)
    draft.refresh_from_db()
    assert "Changed after the release was scheduled: the files." in draft.schedule_failure
    assert "Grace, who scheduled it, does not manage this product" in draft.schedule_failure


@pytest.mark.parametrize(
    ("changes", "part"), [({"maturity": "beta"}, "the maturity"), ({"notes": "Other."}, "the text")]
)
def test_what_was_edited_later_does_not_go_out_on_the_word_of_the_planner(
    dana: User, grace: User, draft: Release, changes: dict[str, str], part: str
) -> None:
    moment = plan(grace, draft)
    edit_release(actor=dana, release=draft, changes=changes, at=timezone.now())
    factory.tick_everything(draft)
    assert publish_due(release_id=draft.pk, at=moment) == []
    draft.refresh_from_db()
    assert draft.published_at is None
    assert f"Changed after the release was scheduled: {part}." in draft.schedule_failure


def test_an_alpha_does_not_become_stable_between_its_schedule_and_its_moment(
    dana: User, grace: User, draft: Release
) -> None:
    moment = plan(grace, draft)
    edit_release(actor=dana, release=draft, changes={"maturity": "stable"}, at=timezone.now())
    factory.tick_everything(draft)
    factory.give_dates(draft.series)
    assert publish_due(release_id=draft.pk, at=moment) == []
    draft.refresh_from_db()
    plan(grace, draft)
    assert len(publish_due(release_id=draft.pk, at=moment + HOUR)) == 4


def test_a_file_taken_away_or_a_step_ticked_anew_holds_it_up(dana: User, grace: User) -> None:
    stable = factory.make_draft("11.8.9", "stable")
    factory.add_files(actor=dana, release=stable)
    moment = plan(grace, stable)
    stable = Release.objects.get()
    withdraw_upload(
        actor=dana, upload=stable.uploads.get(name__endswith=".tar.gz"), at=timezone.now()
    )
    factory.tick_everything(stable)
    (reason,) = reasons_when_due(release=stable, at=moment)
    assert "the files" in reason
    plan(grace, stable)
    stable = Release.objects.get()
    item = stable.checklist.get(step="manual")
    untick_item(actor=dana, item=item, at=timezone.now())
    tick_item(actor=dana, item=item, at=timezone.now())
    (reason,) = reasons_when_due(release=stable, at=moment)
    assert "the required steps of the checklist" in reason


def test_it_can_be_moved_and_cancelled_until_then(dana: User, draft: Release) -> None:
    plan(dana, draft)
    moment = plan(dana, draft)
    cancel_schedule(actor=dana, release=draft)
    assert publish_due(release_id=draft.pk, at=moment) == []
    with pytest.raises(RefusedError, match="not scheduled"):
        cancel_schedule(actor=dana, release=draft)
    verbs = AuditEntry.objects.filter(verb__startswith="release.").order_by("pk")
    assert list(verbs.values_list("verb", flat=True))[1:] == [
        "release.schedule",
        "release.schedule",
        "release.unschedule",
    ]


def test_publishing_by_hand_ends_the_schedule(dana: User, draft: Release) -> None:
    moment = plan(dana, draft)
    publish_release(actor=dana, release=draft, at=timezone.now())
    assert publish_due(release_id=draft.pk, at=moment) == []
    assert AuditEntry.objects.filter(verb="release.publish").count() == 1
