"""The checklist of a draft: made from its kind, ticked by people, held up by what is required."""

from __future__ import annotations

import pytest
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases.actions import checklist
from releases.actions.acceptance import accept_upload
from releases.actions.release import delete_draft, draft_release, edit_release, publish_release
from releases.actions.upload import withdraw_upload
from releases.errors import RefusedError
from releases.maturity import Maturity
from releases.models import ChecklistItem, Release
from releases.readiness import reasons_against
from releases.tests import factory


def fresh(version: str, maturity: str) -> Release:
    """A draft whose checklist nobody touched."""
    series = factory.make_draft(version).series
    Release.objects.all().delete()
    return draft_release(actor=None, series=series, version=version, maturity=maturity)


@pytest.mark.parametrize("maturity", [kind for kind in Maturity if kind != "gamma"])
def test_the_list_follows_the_kind(db: None, maturity: str) -> None:
    release = fresh("12.3.0", maturity)
    required = set(release.checklist.holding_up().values_list("step", flat=True))
    assert ("tests" in required) == (maturity in {"rc", "stable", "old-stable"})
    assert ("upgrade" in required) == (maturity in {"stable", "old-stable"})
    assert release.checklist.filter(step="notes").exists()
    assert str(release.checklist.get(step="notes")).startswith("The notes say")


def test_a_required_step_holds_up_the_publish_until_somebody_ticks_it(dana: User) -> None:
    now = timezone.now()
    release = fresh("12.3.0-rc1", "rc")
    factory.accept(actor=dana, release=release, name="a.zip", data=b"a")
    *rest, last = release.checklist.holding_up()
    for item in rest:
        checklist.tick_item(actor=dana, item=item, at=now)
    (reason,) = reasons_against(actor=dana, release=release, at=now)
    assert str(last.words) in reason
    checklist.tick_item(actor=dana, item=last, at=now)
    publish_release(actor=dana, release=release, at=now)
    with pytest.raises(RefusedError, match="closed"):
        checklist.untick_item(actor=dana, item=last, at=timezone.now())


def test_the_first_name_stands_and_a_tick_is_taken_back_with_a_trace(
    dana: User, frank: User
) -> None:
    item = fresh("12.3.0", "alpha").checklist.first()
    assert item is not None
    now = timezone.now()
    for actor in (dana, frank):
        checklist.tick_item(actor=actor, item=item, at=now)
    item.refresh_from_db()
    assert item.ticked_by == dana
    for _ in range(2):
        checklist.untick_item(actor=frank, item=item, at=now)
    row = AuditEntry.objects.get(verb="checklist.untick")
    assert (row.actor_id, row.detail["ticked_by"]) == (frank.pk, "Dana")


def test_managers_add_steps_of_their_own_and_remove_only_those(dana: User) -> None:
    now = timezone.now()
    release = fresh("12.3.0", "alpha")

    def add(text: str) -> ChecklistItem:
        return checklist.add_item(actor=dana, release=release, text=text, is_required=True, at=now)

    own = add("  Ask   the translators. ")
    assert own.words == "Ask the translators."
    for text, words in [(" ", "Say what"), ("ask the translators.", "already")]:
        with pytest.raises(RefusedError, match=words):
            add(text)
    with pytest.raises(RefusedError, match="every release of this kind"):
        checklist.remove_item(actor=dana, item=release.checklist.get(step="notes"), at=now)
    checklist.remove_item(actor=dana, item=own, at=now)
    with pytest.raises(RefusedError, match="meanwhile"):
        checklist.tick_item(actor=dana, item=own, at=now)
    assert not release.checklist.holding_up().exists()


def test_another_maturity_asks_for_other_steps_and_keeps_the_ticks(dana: User) -> None:
    now = timezone.now()
    release = fresh("12.3.0", "rc")
    for step in ("tests", "notes"):
        checklist.tick_item(actor=dana, item=release.checklist.get(step=step), at=now)
    assert edit_release(
        actor=dana, release=release, changes={"maturity": "alpha", "notes": ""}, at=now
    ) == ["maturity"]
    steps = {item.step: item for item in release.checklist.all()}
    assert steps["tests"].ticked_by == dana
    assert "upgrade" not in steps
    assert not release.checklist.filter(is_required=True).exists()


def test_editing_is_audited_and_a_published_maturity_stays(dana: User, draft: Release) -> None:
    now = timezone.now()
    assert edit_release(actor=dana, release=draft, changes={"summary": "Better."}, at=now)
    row = AuditEntry.objects.get(verb="release.edit")
    assert (row.detail["before"], row.detail["after"]) == (
        {"summary": "The first build."},
        {"summary": "Better."},
    )
    assert not edit_release(actor=dana, release=draft, changes={"summary": "Better."}, at=now)
    with pytest.raises(RefusedError, match="scale"):
        edit_release(actor=dana, release=draft, changes={"maturity": "gamma"}, at=now)
    publish_release(actor=dana, release=draft, at=now)
    with pytest.raises(RefusedError, match="keeps its maturity"):
        edit_release(actor=dana, release=draft, changes={"maturity": "beta"}, at=now)
    Release.objects.update(maturity="stable")
    edit_release(actor=dana, release=draft, changes={"maturity": "old-stable"}, at=now)


def test_only_an_empty_draft_can_be_deleted(dana: User, draft: Release) -> None:
    now = timezone.now()
    with pytest.raises(RefusedError, match="has files"):
        delete_draft(actor=dana, release=draft, at=now)
    publish_release(actor=dana, release=draft, at=now)
    with pytest.raises(RefusedError, match="Withdraw"):
        delete_draft(actor=dana, release=draft, at=now)
    empty = factory.make_draft("12.3.1")
    factory.accept(actor=dana, release=empty, name="a.deb", data=b"no", distributions=["debian-12"])
    delete_draft(actor=dana, release=empty, at=now)
    assert Release.objects.get() == draft
    assert AuditEntry.objects.filter(verb="release.delete").count() == 1


def test_what_was_said_of_the_files_is_said_again_when_one_comes_or_goes(dana: User) -> None:
    release = factory.make_draft("11.8.9", "stable")
    upload = factory.send(actor=dana, release=release, name="a.zip", data=b"a")
    accept_upload(upload_id=upload.pk)
    steps = ["commit", "tests", "install", "upgrade"]
    assert list(release.checklist.open().values_list("step", flat=True)) == steps
    factory.tick_everything(release)
    withdraw_upload(actor=dana, upload=upload, at=timezone.now())
    assert list(release.checklist.open().values_list("step", flat=True)) == steps
    unticked = AuditEntry.objects.filter(verb="checklist.untick")
    assert unticked.count() == 2 * len(steps)
