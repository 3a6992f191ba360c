"""Making a draft of a release, editing and deleting it, and publishing it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from releases import maturity as maturities
from releases import version as versions
from releases.actions.advisory_revision import revise_advisories, said_of
from releases.actions.checklist import make_checklist
from releases.actions.repository import clear_for_stable, enter_packages
from releases.errors import RefusedError
from releases.looked_at import refuse_unseen
from releases.models import AffectedRange, Publication, Release, Series
from releases.readiness import reasons_against

EDITABLE: Final = ("maturity", "summary", "notes", "changelog", "commit")


@transaction.atomic
def draft_release(
    *,
    actor: User | None,
    series: Series,
    version: str,
    maturity: str,
    summary: str = "",
    notes: str = "",
    changelog: str = "",
    commit: str = "",
) -> Release:
    """A release that only its managers see."""
    try:
        ordering = versions.parse(version).fields
    except ValueError as error:
        raise RefusedError(str(error)) from None
    if not versions.begins_with(version, series.name):
        raise RefusedError(
            _("A version of this series begins with %(series)s.") % {"series": series.name}
        )
    if not maturities.allowed(series.product.scale, maturity):
        raise RefusedError(_("The maturity scale of this product does not have this word."))
    taken = Release.objects.filter(series__product=series.product, version=version)
    if taken.exists():
        raise RefusedError(_("This product has a release of this version already."))
    if same := series.releases.filter(ordering=ordering).first():
        raise RefusedError(
            _("%(version)s is the same number, written otherwise.") % {"version": same.version}
        )
    release = Release.objects.create(
        series=series,
        version=version,
        maturity=maturity,
        summary=summary,
        notes=notes,
        changelog=changelog,
        commit=commit,
        created_by=actor,
    )
    make_checklist(release=release)
    audit.record(actor=actor, verb="release.draft", subject=release, maturity=maturity)
    return release


@transaction.atomic
def edit_release(
    *, actor: User, release: Release, changes: Mapping[str, str], at: dt.datetime
) -> list[str]:
    """Write new words; the names of the fields that changed.

    The version stays. Once published the maturity only moves between stable and old stable.
    """
    locked = Release.objects.select_for_update(of=["self"]).with_names().get(pk=release.pk)
    before = {name: getattr(locked, name) for name in EDITABLE}
    changed = [name for name in EDITABLE if changes.get(name, before[name]) != before[name]]
    if "maturity" in changed:
        _refuse_maturity(locked, changes["maturity"], at)
    for name in changed:
        setattr(locked, name, changes[name])
    if changed:
        locked.save()
        audit.record(
            actor=actor,
            verb="release.edit",
            subject=locked,
            before={name: before[name] for name in changed},
            after={name: changes[name] for name in changed},
        )
    if "maturity" in changed and not locked.is_published(at):
        make_checklist(release=locked)
    return changed


def _refuse_maturity(release: Release, wanted: str, at: dt.datetime) -> None:
    if not maturities.allowed(release.series.product.scale, wanted):
        raise RefusedError(_("The maturity scale of this product does not have this word."))
    settled = {maturities.Maturity.STABLE, maturities.Maturity.OLD_STABLE}
    if release.is_published(at) and not {release.maturity, wanted} <= settled:
        raise RefusedError(_("A published release keeps its maturity: make another release."))


@transaction.atomic
def delete_draft(*, actor: User, release: Release, at: dt.datetime) -> None:
    """Forget a draft that has no files; uploads that were refused go with it."""
    locked = Release.objects.select_for_update(of=["self"]).with_names().get(pk=release.pk)
    if locked.is_published(at):
        raise RefusedError(_("A published release is never deleted. Withdraw it instead."))
    if AffectedRange.objects.filter(fixed=locked).exists():
        raise RefusedError(_("Another page names this draft, so it stays."))
    if locked.files.exists() or locked.uploads.unsettled().exists():
        raise RefusedError(
            _("This draft has files. A name and version never gets other bytes, so it stays.")
        )
    audit.record(actor=actor, verb="release.delete", subject=locked, maturity=locked.maturity)
    locked.uploads.all().delete()
    locked.delete()


@transaction.atomic
def publish_release(
    *,
    actor: User,
    release: Release,
    at: dt.datetime,
    shown: Mapping[str, str] | None = None,
) -> list[Publication]:
    """Show the release to everyone, and ask for the publications that its packages need.

    Raises RefusedError when something is missing, when a second person has to do it, or when it is
    not what was `shown` to the actor.
    """
    said = said_of(series=release.series, at=at)
    locked = Release.objects.select_for_update(of=["self"]).with_names().get(pk=release.pk)
    for reason in reasons_against(actor=actor, release=locked, at=at):
        raise RefusedError(reason)
    refuse_unseen(locked, shown)
    cleared = clear_for_stable(release=locked, at=at)
    locked.published_at, locked.published_by = at, actor
    locked.scheduled_for = locked.scheduled_by = locked.scheduled_at = None
    locked.scheduled_content, locked.schedule_failure = {}, ""
    locked.save()
    revise_advisories(actor=actor, said=said, at=at)
    entered = enter_packages(release=locked)
    publications = list({found.pk: found for found in [*cleared, *entered]}.values())
    audit.record(
        actor=actor,
        verb="release.publish",
        subject=locked,
        maturity=locked.maturity,
        files=locked.files.count(),
        repositories=[publication.repository.name for publication in publications],
    )
    return publications
