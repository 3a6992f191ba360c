"""Publishing at a moment in the future: promised by a person, done once by the sweep."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit, outbox
from releases.actions.release import publish_release
from releases.errors import RefusedError
from releases.looked_at import content_of, refuse_unseen
from releases.models import Publication, Release
from releases.readiness import reasons_against, reasons_when_due

LONGEST: Final = dt.timedelta(days=366)


@transaction.atomic
def schedule_release(
    *,
    actor: User,
    release: Release,
    moment: dt.datetime,
    at: dt.datetime,
    shown: Mapping[str, str] | None = None,
) -> None:
    """Promise to publish at `moment`; `actor` counts as the one who publishes."""
    locked = Release.objects.select_for_update(of=["self"]).with_names().get(pk=release.pk)
    if moment <= at:
        raise RefusedError(_("Choose a moment in the future."))
    if moment > at + LONGEST:
        raise RefusedError(_("Choose a moment within a year."))
    for reason in reasons_against(actor=actor, release=locked, at=at):
        raise RefusedError(reason)
    refuse_unseen(locked, shown)
    before = locked.scheduled_for
    locked.scheduled_for, locked.scheduled_by, locked.scheduled_at = moment, actor, at
    locked.scheduled_content, locked.schedule_failure = content_of(locked), ""
    _save(locked)
    audit.record(
        actor=actor,
        verb="release.schedule",
        subject=locked,
        moment=moment.isoformat(),
        before=before.isoformat() if before else None,
    )


@transaction.atomic
def cancel_schedule(*, actor: User, release: Release) -> None:
    """Let the release stay a draft."""
    locked = Release.objects.select_for_update(of=["self"]).with_names().get(pk=release.pk)
    moment = locked.scheduled_for
    if moment is None:
        raise RefusedError(_("This release is not scheduled."))
    _clear(locked)
    audit.record(actor=actor, verb="release.unschedule", subject=locked, moment=moment.isoformat())


@transaction.atomic
def publish_due(*, release_id: int, at: dt.datetime) -> list[Publication]:
    """Publish a release whose moment has come; or say to its managers why that cannot be.

    Two sweeps at once do it once: the second finds the row locked, or nothing due any more.
    """
    release = (
        Release.objects.due(at)
        .select_for_update(skip_locked=True, of=["self"])
        .with_names()
        .select_related("scheduled_by")
        .filter(pk=release_id)
        .first()
    )
    if release is None or release.scheduled_by is None:
        return []
    planner, moment = release.scheduled_by, release.scheduled_for
    if reasons := reasons_when_due(release=release, at=at):
        _clear(release, failure="\n".join(reasons))
        audit.record(actor=None, verb="release.schedule_failed", subject=release, reasons=reasons)
        people = {*release.series.product.managers(at), planner}
        _tell(people, release, "release_not_published", moment=moment, reasons=reasons)
        return []
    publications = publish_release(actor=planner, release=release, at=at)
    _tell({planner}, release, "release_published", moment=moment)
    return publications


def _tell(people: Iterable[User], release: Release, letter: str, **context: Any) -> None:
    """A letter to each; the moment in its key makes it one for each schedule."""
    for person in people:
        outbox.enqueue(
            to=person.email,
            template=letter,
            context={
                "person": person,
                "release": release,
                "page": f"{settings.BASE_URL}{release.manage_url}",
                **context,
            },
            key=f"{letter}:{release.pk}:{context['moment'].isoformat()}:{person.pk}",
        )


def _clear(release: Release, failure: str = "") -> None:
    release.scheduled_for = release.scheduled_by = release.scheduled_at = None
    release.scheduled_content, release.schedule_failure = {}, failure
    _save(release)


def _save(release: Release) -> None:
    release.save(
        update_fields=[
            "scheduled_for",
            "scheduled_by",
            "scheduled_at",
            "scheduled_content",
            "schedule_failure",
        ]
    )
