"""The checklist of a draft: made from its kind, ticked and unticked by people with a name."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit, languages
from releases.checklist import steps_of
from releases.errors import RefusedError
from releases.models import ChecklistItem, Release


def make_checklist(*, release: Release) -> None:
    """The steps of the release's kind. What was ticked stays; what no longer belongs goes.

    Called within the transaction of the action that makes or changes the draft.
    """
    steps = {step.slug: (step, required) for step, required in steps_of(release.maturity)}
    generated = release.checklist.exclude(step="")
    generated.open().exclude(step__in=steps).delete()
    generated.exclude(step__in=steps).update(is_required=False)
    with languages.of_record():
        for slug, (step, required) in steps.items():
            release.checklist.update_or_create(
                step=slug, defaults={"is_required": required, "text": str(step.text)}
            )


@transaction.atomic
def tick_item(*, actor: User, item: ChecklistItem, at: dt.datetime) -> None:
    """Say that it is done. A second tick changes nothing: the first name stands."""
    locked = _locked(item, at)
    if locked.ticked_at is None:
        locked.ticked_at, locked.ticked_by = at, actor
        locked.save(update_fields=["ticked_at", "ticked_by"])
        audit.record(actor=actor, verb="checklist.tick", subject=locked.release, item=locked.text)


@transaction.atomic
def untick_item(*, actor: User, item: ChecklistItem, at: dt.datetime) -> None:
    """Take a tick back, whoever gave it."""
    locked = _locked(item, at)
    if locked.ticked_by is not None:
        audit.record(
            actor=actor,
            verb="checklist.untick",
            subject=locked.release,
            item=locked.text,
            ticked_by=str(locked.ticked_by),
        )
        locked.ticked_at = locked.ticked_by = None
        locked.save(update_fields=["ticked_at", "ticked_by"])


def untick_for_new_files(*, actor: User | None, release: Release) -> None:
    """What was said of the files before is not said of these. Called within the transaction of the
    action that lets a file of a draft come or go.
    """
    for item in release.checklist.about_files().select_related("ticked_by"):
        audit.record(
            actor=actor,
            verb="checklist.untick",
            subject=release,
            item=item.text,
            ticked_by=str(item.ticked_by),
            because="files",
        )
        item.ticked_at = item.ticked_by = None
        item.save(update_fields=["ticked_at", "ticked_by"])


@transaction.atomic
def add_item(
    *, actor: User, release: Release, text: str, is_required: bool, at: dt.datetime
) -> ChecklistItem:
    """One more thing to do, for this release alone."""
    _refuse_published(release, at)
    words = " ".join(text.split())[:200]
    if not words:
        raise RefusedError(_("Say what is to be done."))
    if release.checklist.filter(text__iexact=words).exists():
        raise RefusedError(_("The checklist has this already."))
    item = release.checklist.create(text=words, is_required=is_required)
    audit.record(
        actor=actor, verb="checklist.add", subject=release, item=words, required=is_required
    )
    return item


@transaction.atomic
def remove_item(*, actor: User, item: ChecklistItem, at: dt.datetime) -> None:
    """Take away a thing that a manager added; the steps of the kind stay."""
    locked = _locked(item, at)
    if locked.step:
        raise RefusedError(_("This step belongs to every release of this kind."))
    audit.record(actor=actor, verb="checklist.remove", subject=locked.release, item=locked.text)
    locked.delete()


def _locked(item: ChecklistItem, at: dt.datetime) -> ChecklistItem:
    """The item, whose release nobody publishes meanwhile."""
    release = Release.objects.select_for_update(of=["self"]).with_names().get(pk=item.release_id)
    _refuse_published(release, at)
    found = ChecklistItem.objects.select_related("ticked_by").filter(pk=item.pk).first()
    if found is None:
        raise RefusedError(_("Somebody took this away meanwhile."))
    found.release = release
    return found


def _refuse_published(release: Release, at: dt.datetime) -> None:
    if release.is_published(at):
        raise RefusedError(_("This release is published: its checklist is closed."))
