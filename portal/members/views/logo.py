"""Logos of organisations: under an address made of their content, and under one that stays."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from portal.lib.open_data import for_everybody
from portal.members.actions.logo import change_logo, keep_logo
from portal.members.forms import LogoForm
from portal.members.forms.logo import left_out
from portal.members.models import Logo, Organisation
from portal.members.pictures import Picture
from portal.members.rights import Part, own_organisation

TYPES = {"svg": "image/svg+xml", "png": "image/png"}
POLICY = "default-src 'none'; sandbox"


@require_safe
def logo(request: HttpRequest, digest: str, extension: str) -> HttpResponse:
    """For everyone while the organisation is a supporter, for its own people always."""
    now = timezone.now()
    visible = Logo.objects.visible_to(request.user, now)
    found = get_object_or_404(visible, digest=digest, format=extension)
    is_public = Logo.objects.public(now).filter(pk=found.pk).exists()
    return picture_response(found, public=is_public)


@require_safe
def current_logo(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What a supporter shows now, for other sites: the address stays, the ETag changes with it."""
    shown = Organisation.objects.supported(timezone.now()).select_related("logo")
    found = shown.filter(slug=slug).first()
    if found is None or found.logo is None:
        missing = HttpResponse(
            "no supporter shows a logo here\n", "text/plain; charset=utf-8", status=404
        )
        missing["Cache-Control"] = "no-cache"
        return missing
    return for_everybody(request, picture_response(found.logo, public=True))


def picture_response(picture: Logo | None, *, public: bool) -> HttpResponse:
    """The file under a policy of its own, so that even a drawing opened alone can do nothing."""
    if picture is None:
        raise Http404
    response = HttpResponse(bytes(picture.content), content_type=TYPES[picture.format])
    response["Content-Security-Policy"] = POLICY
    response["Cache-Control"] = "public, max-age=86400" if public else "private, no-store"
    response["Cross-Origin-Resource-Policy"] = "cross-origin" if public else "same-origin"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def organisation_logo(request: HttpRequest, slug: str) -> HttpResponse:
    """Owner and marketing contact: what is shown, another one, and what was shown before."""
    organisation = own_organisation(request, slug, Part.PROFILE)
    form = LogoForm(request.POST, request.FILES) if request.method == "POST" else LogoForm()
    if request.method == "POST" and form.is_valid():
        if form.picture is None:
            messages.info(request, _("No file was chosen: the logo stays."))
            return redirect("members:change_logo", slug)
        kept = keep_logo(picture=form.picture)
        change_logo(actor=signed_in(request), organisation=organisation, logo=kept)
        messages.success(request, _("The new logo is shown from now on."))
        tell_what_was_left_out(request, form.picture)
        return redirect("members:change_logo", slug)
    changes = list(organisation.logo_changes.select_related("logo", "changed_by"))
    supported = Organisation.objects.supported(timezone.now())
    context = {
        "form": form,
        "organisation": organisation,
        "changes": changes,
        "newest": changes[0] if changes else None,
        "address": settings.BASE_URL + reverse("members:current_logo", args=[slug]),
        "is_shown": supported.filter(pk=organisation.pk).exists(),
    }
    return render(request, "members/logo.html", context)


def tell_what_was_left_out(request: HttpRequest, picture: Picture) -> None:
    words = left_out(picture)
    if words:
        messages.warning(request, words)


@require_POST
@login_required
def logo_again(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """Put one back that was shown before."""
    organisation = own_organisation(request, slug, Part.PROFILE)
    earlier = Logo.objects.filter(changes__organisation=organisation).distinct()
    found = get_object_or_404(earlier, digest=digest)
    change_logo(actor=signed_in(request), organisation=organisation, logo=found)
    messages.success(request, _("The earlier logo is shown again."))
    return redirect("members:change_logo", slug)
