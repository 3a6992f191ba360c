"""Writing: a form, how it looks, and both texts when somebody else was quicker."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.accounts.access import signed_in
from portal.lib.redline import redline
from portal.news.access import editor
from portal.news.actions.announcement import (
    ChangedMeanwhileError,
    NewsError,
    change_announcement,
    write_announcement,
)
from portal.news.forms.announcement import AnnouncementForm
from portal.news.models import Announcement, Kind, State
from portal.news.views.seen import number

PREVIEW = "preview"


@editor
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    kinds = {"kind": request.GET.get("kind")} if request.GET.get("kind") in Kind.values else {}
    initial = {"byline": user.name, **kinds}
    form = AnnouncementForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid() and not _wants_preview(request):
        try:
            kept = write_announcement(actor=user, text=form.text())
        except ValidationError as error:
            _add_errors(form, error)
        else:
            messages.success(request, _("Saved as a draft."))
            return redirect(kept.desk_url)
    return render(request, "news/write.html", {"form": form, **_preview(request, form)})


@editor
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """The text and what may be done with it."""
    announcement = get_object_or_404(Announcement.objects.select_related("occasion"), pk=pk)
    now = timezone.now()
    state = announcement.state(now)
    form = AnnouncementForm(
        request.POST or None,
        instance=Announcement.objects.get(pk=pk),  # a copy: the form writes into it
        frozen=state in (State.PUBLISHED, State.WITHDRAWN),
    )
    context: dict[str, Any] = {
        "form": form,
        "seen": number(request.POST, default=announcement.version),
    }
    if request.method == "POST" and form.is_valid() and not _wants_preview(request):
        if _saved(request, announcement, form, context):
            return redirect(f"{announcement.desk_url}#saved")  # what was typed is kept no longer
        announcement.refresh_from_db()
    context |= {
        "announcement": announcement,
        "state": state,
        "occasion": getattr(announcement, "occasion", None),
        "figures": getattr(announcement, "figures", None),
        "versions": announcement.versions.count(),
        **_preview(request, form),
    }
    return render(request, "news/write.html", context)


def _saved(
    request: HttpRequest,
    announcement: Announcement,
    form: AnnouncementForm,
    context: dict[str, Any],
) -> bool:
    """Whether it was kept; if not, `context` says what the editor must see."""
    try:
        kept = change_announcement(
            actor=signed_in(request),
            announcement=announcement,
            text=form.text(),
            seen=context["seen"],
            at=timezone.now(),
        )
    except ChangedMeanwhileError as error:
        context |= _both(error.current, form)
        return False
    except NewsError as error:
        form.add_error(None, str(error))
        return False
    except ValidationError as error:
        _add_errors(form, error)
        return False
    changed = kept.version != context["seen"]
    words = _("Saved as version %(number)s.") if changed else _("Nothing was changed.")
    messages.success(request, words % {"number": kept.version})
    return True


def _both(current: Announcement, form: AnnouncementForm) -> dict[str, Any]:
    """What somebody else saved, and what one's own text makes of it."""
    names = ("title", "summary", "body")
    written = form.cleaned_data
    return {
        "seen": current.version,  # saving again is saving over what is shown now
        "theirs": current.versions.select_related("saved_by").first(),
        "changes": [
            (form.fields[name].label, redline(getattr(current, name), written[name]))
            for name in names
            if getattr(current, name) != written[name]
        ],
    }


def _wants_preview(request: HttpRequest) -> bool:
    return request.POST.get("step") == PREVIEW


def _preview(request: HttpRequest, form: AnnouncementForm) -> dict[str, Any]:
    """How the text in the form looks; nothing is saved by looking."""
    asked = request.method == "POST" and _wants_preview(request) and form.is_valid()
    return {"preview": form.cleaned_data} if asked else {}


def _add_errors(form: AnnouncementForm, error: ValidationError) -> None:
    """What the action refused, at the fields of the form."""
    for name, words in error.message_dict.items():
        form.add_error(name if name in form.fields else None, words)
