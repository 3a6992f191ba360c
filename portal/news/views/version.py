"""Who saved what when, what changed between two versions, and taking one again."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.accounts.access import signed_in
from portal.lib.redline import Piece, redline
from portal.news.access import editor
from portal.news.actions.announcement import ChangedMeanwhileError, NewsError, take_version
from portal.news.models import Announcement, Version
from portal.news.views.seen import number as number_of

COMPARED = ("title", "slug", "byline", "summary", "body")


@editor
@require_safe
@never_cache
def version_list(request: HttpRequest, pk: int) -> HttpResponse:
    """All versions, and the difference between two: the last two, or `?from=` and `?to=`."""
    announcement = get_object_or_404(Announcement, pk=pk)
    versions = list(announcement.versions.select_related("saved_by"))
    by_number = {version.number: version for version in versions}
    newer = by_number.get(number_of(request.GET, "to"), versions[0])
    older = by_number.get(number_of(request.GET, "from")) or by_number.get(newer.number - 1)
    context = {
        "announcement": announcement,
        "versions": versions,
        "newer": newer,
        "older": older,
        "changes": _changes(older, newer) if older else [],
    }
    return render(request, "news/versions.html", context)


@editor
@require_POST
def version_take(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Make an earlier text the current one: a new version with the old words."""
    announcement = get_object_or_404(Announcement, pk=pk)
    get_object_or_404(Version, announcement=announcement, number=number)
    try:
        take_version(
            actor=signed_in(request),
            announcement=announcement,
            number=number,
            seen=number_of(request.POST, default=announcement.version),
            at=timezone.now(),
        )
    except ChangedMeanwhileError:
        messages.error(request, _("Somebody saved another version meanwhile. Look again."))
        return redirect("news:versions", pk)
    except NewsError as error:
        messages.error(request, str(error))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Version %(number)s again.") % {"number": number})
    return redirect(announcement.desk_url)


def _changes(older: Version, newer: Version) -> list[tuple[str, list[Piece]]]:
    return [
        (str(Version._meta.get_field(name).verbose_name), redline(before, after))  # type: ignore[union-attr]
        for name in COMPARED
        if (before := getattr(older, name)) != (after := getattr(newer, name))
    ]
