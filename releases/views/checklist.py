"""The checklist of a release: ticking, own steps, and the list as text."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from portal.accounts.access import signed_in
from releases.actions.checklist import add_item, remove_item, tick_item, untick_item
from releases.views.forms import ItemForm
from releases.views.manage import release_page
from releases.views.managed import managed_release, say

VERBS = {"tick": tick_item, "untick": untick_item, "remove": remove_item}


@require_POST
@login_required
def add_step(request: HttpRequest, product: str, version: str) -> HttpResponse:
    user = signed_in(request)
    release = managed_release(user, product, version)
    form = ItemForm(request.POST)
    if form.is_valid():
        act = partial(add_item, actor=user, release=release, at=timezone.now(), **form.cleaned_data)
        if say(request, act, _("Added: %(step)s") % {"step": form.cleaned_data["text"]}):
            return redirect(f"{_page(product, version)}#checklist")
    return release_page(request, user, release, item_form=form)


@require_POST
@login_required
def step(request: HttpRequest, product: str, version: str, item: int) -> HttpResponse:
    """Tick, untick or remove one step."""
    user = signed_in(request)
    release = managed_release(user, product, version)
    found = get_object_or_404(release.checklist, pk=item)
    verb = VERBS.get(request.POST.get("verb", ""))
    if verb is None:
        raise Http404
    words = {
        tick_item: _("Ticked: %(step)s"),
        untick_item: _("Not done any more: %(step)s"),
        remove_item: _("Removed: %(step)s"),
    }[verb]
    act = partial(verb, actor=user, item=found, at=timezone.now())
    say(request, act, words % {"step": found.words})
    return redirect(f"{_page(product, version)}#checklist")


@require_safe
@login_required
def as_text(request: HttpRequest, product: str, version: str) -> HttpResponse:
    """For the minutes, or for those who have no account."""
    release = managed_release(signed_in(request), product, version)
    context = {
        "release": release,
        "checklist": release.checklist.select_related("ticked_by"),
        "now": timezone.now(),
    }
    text = render_to_string("releases/checklist.txt", context)
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def _page(product: str, version: str) -> str:
    return resolve_url("releases:manage_release", product, version)
