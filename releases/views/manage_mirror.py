"""Mirrors as managers see them: approve, pause, edit. For those who manage every product."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from portal.accounts.models import User
from portal.accounts.roles import Role, has_role
from releases.actions.mirror import STEPS, change_state, edit_mirror, propose_mirror
from releases.errors import RefusedError
from releases.models import Mirror, Product
from releases.views.mirror import MirrorForm

WORDS = {
    Mirror.State.ACTIVE: gettext_lazy("Turn on"),
    Mirror.State.PAUSED: gettext_lazy("Pause"),
    Mirror.State.RETIRED: gettext_lazy("Retire"),
}


def _keeper(request: HttpRequest) -> User:
    """Staff, or a release manager of every product: a mirror carries them all."""
    user = signed_in(request)
    managed = Product.objects.managed_by(user, timezone.now())
    manages_all = managed.exists() and not Product.objects.exclude(pk__in=managed).exists()
    if not (manages_all or has_role(user, Role.STAFF)):
        raise PermissionDenied
    return user


@require_safe
@login_required
def mirrors(request: HttpRequest) -> HttpResponse:
    """All mirrors, those that wait for a decision first."""
    _keeper(request)
    found = Mirror.objects.all()
    context = {
        "waiting": found.filter(state=Mirror.State.PROPOSED).order_by("proposed_at"),
        "in_use": found.listed(),
        "retired": found.filter(state=Mirror.State.RETIRED),
    }
    return render(request, "releases/manage_mirrors.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_mirror(request: HttpRequest) -> HttpResponse:
    """A mirror that a manager knows of: no letter is asked for."""
    user = _keeper(request)
    form = MirrorForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            values = dict(form.cleaned_data)
            mirror = propose_mirror(actor=user, values=values, at=timezone.now())
        except RefusedError as error:
            form.add_error(None, str(error))
        else:
            return redirect("releases:manage_mirror", mirror.slug)
    return render(request, "releases/manage_mirror.html", {"form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def manage_mirror(request: HttpRequest, slug: str) -> HttpResponse:
    """One mirror: its record, what may become of it, and the form."""
    user = _keeper(request)
    mirror = get_object_or_404(Mirror, slug=slug)
    form = MirrorForm(request.POST or None, instance=mirror)
    if request.method == "POST" and form.is_valid():
        try:
            values = dict(form.cleaned_data)
            edit_mirror(actor=user, mirror=mirror, values=values, at=timezone.now())
        except RefusedError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Saved."))
            return redirect("releases:manage_mirror", slug)
    shown = Mirror.objects.get(pk=mirror.pk)
    steps = [(to, WORDS[to]) for to in STEPS[Mirror.State(shown.state)]]
    context = {"form": form, "mirror": shown, "steps": steps, "probes": shown.probes.all()[:10]}
    return render(request, "releases/manage_mirror.html", context)


@require_POST
@login_required
def change_mirror(request: HttpRequest, slug: str) -> HttpResponse:
    """Turn on, pause or retire."""
    user = _keeper(request)
    mirror = get_object_or_404(Mirror, slug=slug)
    try:
        changed = change_state(
            actor=user, mirror=mirror, to=request.POST.get("to", ""), at=timezone.now()
        )
    except RefusedError as error:
        messages.error(request, str(error))
    else:
        state = changed.get_state_display()
        messages.success(
            request, _("%(mirror)s is %(state)s now.") % {"mirror": changed, "state": state}
        )
    return redirect("releases:manage_mirror", slug)
