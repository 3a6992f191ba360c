"""Publishing with a last look, at once or later; withdrawing; throwing away; and back again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts.access import signed_in
from portal.news.access import editor
from portal.news.actions.announcement import (
    ChangedMeanwhileError,
    NewsError,
    drop_draft,
    take_back_draft,
)
from portal.news.actions.publication import (
    EDITABLE,
    publish_announcement,
    restore_announcement,
    schedule_announcement,
    unschedule_announcement,
    withdraw_announcement,
)
from portal.news.forms.announcement import PublishForm, WithdrawForm
from portal.news.models import Announcement, State
from portal.news.views.seen import number


@editor
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def publish(request: HttpRequest, pk: int) -> HttpResponse:
    """How it will look, and when; what was looked at is what goes out."""
    announcement = get_object_or_404(Announcement.objects.select_related("occasion"), pk=pk)
    state = announcement.state(timezone.now())
    if state not in EDITABLE:
        messages.info(request, _("It is not a draft any more. This is how it stands."))
        return redirect(announcement.desk_url)
    form = PublishForm(request.POST or None, initial=_planned(announcement))
    if request.method == "POST" and form.is_valid() and _published(request, announcement, form):
        return redirect(announcement.desk_url)
    announcement.refresh_from_db()
    context = {
        "announcement": announcement,
        "state": state,
        "form": form,
        "occasion": getattr(announcement, "occasion", None),
    }
    return render(request, "news/publish.html", context)


def _planned(announcement: Announcement) -> dict[str, object]:
    if announcement.published_at is None:
        return {}
    return {"how": PublishForm.LATER, "moment": announcement.published_at}


def _published(request: HttpRequest, announcement: Announcement, form: PublishForm) -> bool:
    act = partial(publish_announcement)
    words = _("It is public.")
    if form.cleaned_data["how"] == PublishForm.LATER:
        moment = form.cleaned_data["moment"]
        act = partial(schedule_announcement, moment=moment)
        said = formats.date_format(moment, "j M Y, H:i e")
        words = _("It will be public on %(moment)s.") % {"moment": said}
    seen = number(request.POST)
    try:
        act(actor=signed_in(request), announcement=announcement, seen=seen, at=timezone.now())
    except ChangedMeanwhileError:
        form.add_error(None, _("It was changed while you looked. This is how it looks now."))
        return False
    except NewsError as error:
        form.add_error("moment" if act.keywords else None, str(error))
        return False
    messages.success(request, words)
    return True


@editor
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    announcement = get_object_or_404(Announcement, pk=pk)
    if announcement.state(timezone.now()) != State.PUBLISHED:
        messages.info(request, _("Only what is public can be withdrawn."))
        return redirect(announcement.desk_url)
    form = WithdrawForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            withdraw_announcement(
                actor=signed_in(request),
                announcement=announcement,
                reason=form.cleaned_data["reason"],
                at=timezone.now(),
            )
        except NewsError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("Withdrawn. You can bring it back."))
        return redirect(announcement.desk_url)
    return render(request, "news/withdraw.html", {"announcement": announcement, "form": form})


@editor
@require_POST
def unschedule(request: HttpRequest, pk: int) -> HttpResponse:
    def act(found: Announcement) -> None:
        unschedule_announcement(actor=signed_in(request), announcement=found, at=timezone.now())

    return _done(request, pk, act, _("It is a draft again."))


@editor
@require_POST
def restore(request: HttpRequest, pk: int) -> HttpResponse:
    def act(found: Announcement) -> None:
        restore_announcement(actor=signed_in(request), announcement=found, at=timezone.now())

    return _done(request, pk, act, _("It is public again, at its old date."))


@editor
@require_POST
def drop(request: HttpRequest, pk: int) -> HttpResponse:
    def act(found: Announcement) -> None:
        drop_draft(actor=signed_in(request), announcement=found, at=timezone.now())

    return _done(request, pk, act, _("Thrown away. You can take it back here."))


@editor
@require_POST
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    def act(found: Announcement) -> None:
        take_back_draft(actor=signed_in(request), announcement=found)

    return _done(request, pk, act, _("It is a draft again."))


def _done(
    request: HttpRequest, pk: int, act: Callable[[Announcement], None], words: str
) -> HttpResponse:
    found = get_object_or_404(Announcement, pk=pk)
    try:
        act(found)
    except NewsError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, words)
    return redirect(found.desk_url)
