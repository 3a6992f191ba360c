"""What stands against publishing a release, asked when it is scheduled and again when it is due."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.accounts.models import User
from releases import maturity as maturities
from releases.looked_at import changed_since
from releases.models import Alias, Package, Product, Release


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
    if release.is_stable and not release.series.has_dates:
        reasons.append(
            _("%(series)s does not say when its first stable release is and when support ends.")
            % {"series": release.series}
        )
    reasons += _unticked(release)
    if reason := second_person_reason(actor=actor, release=release, at=at):
        reasons.append(reason)
    return reasons


def reasons_when_due(*, release: Release, at: dt.datetime) -> list[str]:
    """The same for whoever scheduled the release, and what changed since they did."""
    planner = release.scheduled_by
    if planner is None or release.scheduled_at is None:
        return [_("This release is not scheduled.")]
    reasons = reasons_against(actor=planner, release=release, at=at)
    managed = Product.objects.managed_by(planner, at)
    if not managed.filter(pk=release.series.product_id).exists():
        reasons.append(
            _("%(name)s, who scheduled it, does not manage this product any more.")
            % {"name": planner}
        )
    if changed := changed_since(release, release.scheduled_content):
        reasons.append(
            _("Changed after the release was scheduled: %(parts)s. Look at it, and schedule again.")
            % {"parts": ", ".join(changed)}
        )
    return reasons


def second_person_reason(*, actor: User, release: Release, at: dt.datetime) -> str:
    """Why `actor` alone may not bring this release to people who trust it; "" when they may."""
    if not release.files.filter(uploaded_by=actor).exists():
        return ""
    if release.is_stable:
        return _(
            "You uploaded files of this release. A stable release is published by a second"
            " release manager."
        )
    if _reaches_stable_users(release, at):
        return _(
            "You uploaded files of this release, and its packages enter the repositories of"
            " a series that has a stable release. A second release manager publishes it."
        )
    return ""


def _unticked(release: Release) -> list[str]:
    waiting = [str(item.words) for item in release.checklist.holding_up()]
    if not waiting:
        return []
    words = ngettext(
        "A required step of the checklist is not ticked:",
        "%(count)s required steps of the checklist are not ticked:",
        len(waiting),
    )
    return ["\n– ".join([words % {"count": len(waiting)}, *waiting])]


def _reaches_stable_users(release: Release, at: dt.datetime) -> bool:
    """Whether people who installed a stable release would get these packages as an update."""
    if not Package.objects.filter(file__release=release).exists():
        return False
    stable = Release.objects.published(at).stable().filter(series=release.series)
    aliases = Alias.objects.for_stable_users().leading_to(release.series)
    return stable.exists() or aliases.exists()
