"""Withdrawing a release and offering it again."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.accounts.access import signed_in
from releases import tasks
from releases.actions.yank import restore_release, yank_release
from releases.models import File
from releases.views.forms import YankForm
from releases.views.manage import release_page
from releases.views.managed import managed_release, say


@require_POST
@login_required
def yank(request: HttpRequest, product: str, version: str) -> HttpResponse:
    user = signed_in(request)
    release = managed_release(user, product, version)
    form = YankForm(request.POST, release=release)

    def act() -> None:
        queued = yank_release(actor=user, release=release, at=timezone.now(), **form.cleaned_data)
        tasks.follow(File.objects.none(), queued)

    words = _("%(release)s is withdrawn.") % {"release": release}
    if form.is_valid() and say(request, act, words):
        return redirect("releases:manage_release", product, version)
    return release_page(request, user, release, yank_form=form)


@require_POST
@login_required
def restore(request: HttpRequest, product: str, version: str) -> HttpResponse:
    user = signed_in(request)
    release = managed_release(user, product, version)

    def act() -> None:
        queued = restore_release(actor=user, release=release, at=timezone.now())
        tasks.follow(File.objects.none(), queued)

    say(request, act, _("%(release)s is offered again.") % {"release": release})
    return redirect("releases:manage_release", product, version)
