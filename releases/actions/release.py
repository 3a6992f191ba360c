"""Making a draft of a release, and publishing it."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from releases import maturity as maturities
from releases import version as versions
from releases.actions.repository import enter_packages
from releases.errors import RefusedError
from releases.models import Package, Publication, Release, Series


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
        versions.parse(version)
    except ValueError as error:
        raise RefusedError(str(error)) from None
    if not maturities.allowed(series.product.scale, maturity):
        raise RefusedError(_("The maturity scale of this product does not have this word."))
    taken = Release.objects.filter(series__product=series.product, version=version)
    if taken.exists():
        raise RefusedError(_("This product has a release of this version already."))
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
    audit.record(actor=actor, verb="release.draft", subject=release, maturity=maturity)
    return release


@transaction.atomic
def publish_release(*, actor: User, release: Release, at: dt.datetime) -> list[Publication]:
    """Show the release to everyone, and ask for the publications that its packages need.

    Raises RefusedError when something is missing, or when a second person has to do it.
    """
    locked = Release.objects.select_for_update(of=["self"]).with_names().get(pk=release.pk)
    for reason in reasons_against(actor=actor, release=locked, at=at):
        raise RefusedError(reason)
    locked.published_at, locked.published_by = at, actor
    locked.save(update_fields=["published_at", "published_by", "ordering"])
    publications = enter_packages(release=locked)
    audit.record(
        actor=actor,
        verb="release.publish",
        subject=locked,
        maturity=locked.maturity,
        files=locked.files.count(),
        repositories=[publication.repository.name for publication in publications],
    )
    return publications


def reasons_against(*, actor: User, release: Release, at: dt.datetime) -> list[str]:
    """Why `actor` cannot publish this release now; empty when nothing stands against it."""
    reasons = []
    if release.is_published(at):
        reasons.append(_("This release is published already."))
    if release.uploads.unsettled().exists():
        reasons.append(_("Wait until every upload is accepted, or let it be refused."))
    if not release.files.exists():
        reasons.append(_("Upload at least one file first."))
    if not maturities.allowed(release.series.product.scale, release.maturity):
        reasons.append(_("The maturity scale of this product does not have this word."))
    if release.files.filter(uploaded_by=actor).exists():
        if release.is_stable:
            reasons.append(
                _(
                    "You uploaded files of this release. A stable release is published by a second"
                    " release manager."
                )
            )
        elif _reaches_stable_users(release, at):
            reasons.append(
                _(
                    "You uploaded files of this release, and its packages enter the repositories of"
                    " a series that has a stable release. A second release manager publishes it."
                )
            )
    return reasons


def _reaches_stable_users(release: Release, at: dt.datetime) -> bool:
    """Whether people who installed a stable release would get these packages as an update."""
    packages = Package.objects.filter(file__release=release)
    stable = Release.objects.published(at).stable().filter(series=release.series)
    return packages.exists() and stable.exists()
