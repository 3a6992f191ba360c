"""The draft that a published release makes."""

from __future__ import annotations

import datetime as dt
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _

from portal.lib import languages
from portal.news.actions.announcement import Text
from portal.news.models import Kind
from portal.news.plain import plain
from releases.models import Release


def key(release: Release) -> str:
    return f"release:{release.pk}"


@languages.for_the_record
def text(release: Release) -> Text:
    """The facts, links to what readers need, and the notes as the release has them."""
    title = _("%(release)s is released") if release.is_stable else _("%(release)s can be tested")
    parts = [_opening(release), *_links(release)]
    if release.warning:
        parts.insert(1, f"**{release.warning}**")
    if release.notes.strip():
        parts.append(f"## {_('What is new')}\n\n{release.notes.strip()}")
    return Text(
        kind=Kind.RELEASE,
        title=(title % {"release": release})[:160],
        summary=(release.summary.strip() or _plain_summary(release))[:300],
        body="\n\n".join(parts) + "\n",
    )


@languages.for_the_record
def doubt(release: Release | None, at: dt.datetime) -> str:
    """Why its draft must not be published as it is, if there is a reason."""
    if release is None or not release.is_published(at):
        return _("This release is not public.")
    if release.is_yanked(at):
        return _("This release was withdrawn: %(reason)s")[:300] % {"reason": release.yank_reason}
    return ""


def _plain_summary(release: Release) -> str:
    words = _("%(release)s, %(maturity)s, can be downloaded.")
    return words % {"release": release, "maturity": release.get_maturity_display()}


def _opening(release: Release) -> str:
    assert release.published_at is not None  # noqa: S101 - only published ones are asked for
    words = _("%(release)s (%(maturity)s) was published on %(day)s, in the series %(series)s.") % {
        "release": f"**{plain(str(release))}**",
        "maturity": release.get_maturity_display(),
        "day": formats.date_format(release.published_at, "j F Y"),
        "series": plain(release.series.name),
    }
    if release.is_stable and release.series.eol_on:
        day = formats.date_format(release.series.eol_on, "j F Y")
        words += " " + _("The series is supported until %(day)s.") % {"day": day}
    return words


def _links(release: Release) -> list[str]:
    series = release.series
    chosen = urlencode({"product": series.product.slug, "series": series.name})
    lines = [
        f"- [{_('Downloads and checksums')}]({release.get_absolute_url()})",
        f"- [{_('Repository configuration')}]({reverse('releases:generator')}?{chosen})",
    ]
    return ["\n".join(lines)]
