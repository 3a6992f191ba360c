"""The news of the catalogue: releases and withdrawals, written as feeds by `portal.lib.feeds`."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from portal.lib import markdown
from portal.lib.feeds import Entry, Feed
from releases.models import Product, Release

LENGTH: Final = 50


def feed(*, product: Product | None, page: str, address: str, at: dt.datetime) -> Feed:
    """The newest fifty entries at `at`, of one product or of all."""
    releases = (
        Release.objects.published(at).with_names().select_related("use_instead__series__product")
    )
    if product is not None:
        releases = releases.filter(series__product=product)
    newest = list(releases.order_by("-published_at", "-ordering")[:LENGTH])
    yanked = list(releases.filter(yanked_at__lte=at).order_by("-yanked_at")[:LENGTH])
    entries = [_published(release, at) for release in newest] + [_yanked(found) for found in yanked]
    entries.sort(key=lambda entry: entry.at, reverse=True)
    title = _("Releases of %(name)s") % {"name": product or settings.FOUNDATION_NAME}
    description = _("What was published, and what was withdrawn.")
    return Feed(title, description, page, address, entries[:LENGTH])


def _published(release: Release, at: dt.datetime) -> Entry:
    assert release.published_at is not None  # noqa: S101 - the query asked for it
    url = f"{settings.BASE_URL}{release.get_absolute_url()}"
    is_yanked = release.is_yanked(at)
    title = _("%(release)s, %(maturity)s") % {
        "release": release,
        "maturity": release.get_maturity_display(),
    }
    if is_yanked:
        title = _("%(title)s (withdrawn)") % {"title": title}
    parts = [_paragraph(_yank_words(release))] if is_yanked else []
    if release.warning:
        parts.append(_paragraph(str(release.warning)))
    parts += [_paragraph(release.summary), markdown.render(release.notes)]
    return Entry(
        id=url,
        title=title,
        url=url,
        summary=release.summary or title,
        html="".join(parts),
        at=release.published_at,
        updated=(release.yanked_at if is_yanked else None) or release.published_at,
        tags=(release.series.product.slug, release.maturity),
    )


def _yanked(release: Release) -> Entry:
    assert release.yanked_at is not None  # noqa: S101 - the query asked for it
    url = f"{settings.BASE_URL}{release.get_absolute_url()}"
    title = _("Withdrawn: %(release)s") % {"release": release}
    words = _yank_words(release)
    stamp = f"{release.yanked_at:%Y%m%dT%H%M%SZ}"
    tags = (release.series.product.slug, "withdrawn")
    at = release.yanked_at
    return Entry(f"{url}#withdrawn-{stamp}", title, url, words, _paragraph(words), at, at, tags)


def _yank_words(release: Release) -> str:
    words = _("Do not use this release: %(reason)s") % {"reason": release.yank_reason}
    if release.use_instead is not None:
        words += " " + _("Use %(release)s instead.") % {"release": release.use_instead}
    return words


def _paragraph(words: str) -> SafeString | str:
    return format_html("<p>{}</p>", words) if words else ""
