"""Promising a publish for a moment in the future, and taking the promise back."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.accounts.access import signed_in
from releases.actions.schedule import cancel_schedule, schedule_release
from releases.looked_at import from_field
from releases.views.forms import ScheduleForm
from releases.views.manage import release_page
from releases.views.managed import managed_release, say


@require_POST
@login_required
def schedule(request: HttpRequest, product: str, version: str) -> HttpResponse:
    user = signed_in(request)
    release = managed_release(user, product, version)
    form = ScheduleForm(request.POST)
    if form.is_valid():
        moment = form.cleaned_data["moment"]
        now = timezone.now()
        shown = from_field(request.POST.get("shown", ""))
        act = partial(
            schedule_release, actor=user, release=release, moment=moment, at=now, shown=shown
        )
        words = _("%(release)s will be published on %(moment)s.") % {
            "release": release,
            "moment": formats.date_format(moment, "j M Y, H:i e"),
        }
        if say(request, act, words):
            return redirect("releases:manage_release", product, version)
    return release_page(request, user, release, schedule_form=form)


@require_POST
@login_required
def unschedule(request: HttpRequest, product: str, version: str) -> HttpResponse:
    user = signed_in(request)
    release = managed_release(user, product, version)
    words = _("%(release)s stays a draft.") % {"release": release}
    say(request, lambda: cancel_schedule(actor=user, release=release), words)
    return redirect("releases:manage_release", product, version)
