"""What happens to bylaws as a feed: proposals that may be discussed, versions that were adopted."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Final

from django.conf import settings
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _

from governance.models import Proposal, Version
from portal.lib.feeds import Entry, Feed

LENGTH: Final = 20


def feed(*, page: str, address: str) -> Feed:
    """The twenty newest of both."""
    entries = [*_proposals(), *_versions()]
    entries.sort(key=lambda entry: entry.at, reverse=True)
    title = _("Bylaws of the %(name)s") % {"name": settings.FOUNDATION_NAME}
    description = _("Changes that are proposed, and versions that were adopted.")
    return Feed(title, description, page, address, entries[:LENGTH])


def _proposals() -> list[Entry]:
    public = Proposal.objects.whole().filter(motion__discussed_at__isnull=False)
    newest = public.order_by("-motion__discussed_at")[:LENGTH]
    return [_of_proposal(proposal) for proposal in newest]


def _of_proposal(proposal: Proposal) -> Entry:
    motion, url = proposal.motion, f"{settings.BASE_URL}{proposal.get_absolute_url()}"
    begun = motion.discussed_at
    assert begun is not None  # noqa: S101 - the query asked for it
    return Entry(
        id=url,
        title=_("Proposed: %(title)s") % {"title": motion.title},
        url=url,
        summary=motion.summary,
        html=format_html("<p>{}</p>", motion.summary),
        at=begun,
        updated=begun,
        tags=("proposal", proposal.bylaws.slug),
        author=str(motion.proposed_by),
    )


def _versions() -> list[Entry]:
    newest = Version.objects.select_related("bylaws", "adopted_by").order_by("-adopted_on", "-pk")
    return [_of_version(version) for version in newest[:LENGTH]]


def _of_version(version: Version) -> Entry:
    url = f"{settings.BASE_URL}{version.get_absolute_url()}"
    words = {
        "name": version.bylaws.name,
        "number": version.number,
        "day": date_format(version.effective_on, "j F Y"),
    }
    summary = _("Version %(number)s, in force from %(day)s.") % words
    decided = version.adopted_by.decided_at if version.adopted_by else None
    at = decided or datetime.combine(version.adopted_on, time.min, tzinfo=UTC)
    return Entry(
        id=url,
        title=_("%(name)s, version %(number)s") % words,
        url=url,
        summary=f"{summary} {version.note}".strip(),
        html=format_html("<p>{}</p><p>{}</p>", summary, version.note),
        at=at,
        updated=at,
        tags=("version", version.bylaws.slug),
    )
