"""Withdrawing a release that should not be used any more, and taking that back."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from releases.actions.advisory_revision import revise_advisories, said_of
from releases.actions.repository import enter_packages, is_left_behind, leave_repositories
from releases.errors import RefusedError
from releases.models import Publication, Release
from releases.readiness import second_person_reason


@transaction.atomic
def yank_release(
    *,
    actor: User,
    release: Release,
    reason: str,
    at: dt.datetime,
    use_instead: Release | None = None,
) -> list[Publication]:
    """Say why nobody should use it: nothing offers it any more, its addresses still answer.

    One person is enough: to warn must never wait. Its packages leave the repositories of the
    series, so that no machine is upgraded to it.
    """
    said = said_of(series=release.series, at=at)
    locked = Release.objects.select_for_update(of=["self"]).with_names().get(pk=release.pk)
    words = " ".join(reason.split())
    if not locked.is_published(at):
        raise RefusedError(_("This release is not published: there is nothing to withdraw."))
    if locked.is_yanked(at):
        raise RefusedError(_("This release is withdrawn already."))
    if not words:
        raise RefusedError(_("Say why nobody should use it: everybody reads this."))
    _refuse_replacement(locked, use_instead, at)
    locked.yanked_at, locked.yanked_by, locked.yank_reason = at, actor, words[:500]
    locked.use_instead = use_instead
    _save(locked)
    revise_advisories(actor=actor, said=said, at=at)
    publications = leave_repositories(release=locked)
    audit.record(
        actor=actor,
        verb="release.yank",
        subject=locked,
        reason=words[:500],
        use_instead=str(use_instead) if use_instead else "",
        repositories=[publication.repository.name for publication in publications],
    )
    return publications


@transaction.atomic
def restore_release(*, actor: User, release: Release, at: dt.datetime) -> list[Publication]:
    """Offer a withdrawn release again. That reaches people as publishing does, so the rule of the
    second person holds as there.
    """
    said = said_of(series=release.series, at=at)
    locked = Release.objects.select_for_update(of=["self"]).with_names().get(pk=release.pk)
    if not locked.is_yanked(at):
        raise RefusedError(_("This release is not withdrawn."))
    if reason := second_person_reason(actor=actor, release=locked, at=at):
        raise RefusedError(reason)
    before = locked.yank_reason
    locked.yanked_at = locked.yanked_by = locked.use_instead = None
    locked.yank_reason = ""
    _save(locked)
    revise_advisories(actor=actor, said=said, at=at)
    publications = [] if is_left_behind(locked, at=at) else enter_packages(release=locked)
    audit.record(
        actor=actor,
        verb="release.restore",
        subject=locked,
        reason=before,
        repositories=[publication.repository.name for publication in publications],
    )
    return publications


def _refuse_replacement(release: Release, use_instead: Release | None, at: dt.datetime) -> None:
    if use_instead is None:
        return
    offered = Release.objects.current(at).filter(series__product=release.series.product)
    if not offered.exclude(pk=release.pk).filter(pk=use_instead.pk).exists():
        raise RefusedError(_("What to use instead is another release that is published."))


def _save(release: Release) -> None:
    release.save(update_fields=["yanked_at", "yanked_by", "yank_reason", "use_instead"])
