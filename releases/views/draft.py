"""Editing what a release says, deleting an empty draft, and seeing it as everybody will."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from releases.actions.release import delete_draft, edit_release
from releases.errors import RefusedError
from releases.file_list import file_list
from releases.models import File
from releases.views.catalogue import release_context
from releases.views.forms import EditForm
from releases.views.managed import managed_release, say


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: HttpRequest, product: str, version: str) -> HttpResponse:
    user = signed_in(request)
    release = managed_release(user, product, version)
    form = EditForm(request.POST or None, release=release)
    if request.method == "POST" and form.is_valid():
        try:
            changed = edit_release(
                actor=user, release=release, changes=form.cleaned_data, at=timezone.now()
            )
        except RefusedError as error:
            form.add_error("maturity", str(error))
        else:
            words = _("Saved.") if changed else _("Nothing was changed.")
            messages.success(request, words)
            return redirect("releases:manage_release", product, version)
    context = {
        "form": form,
        "release": release,
        "is_published": release.is_published(timezone.now()),
    }
    return render(request, "releases/manage_edit.html", context)


@require_POST
@login_required
def delete(request: HttpRequest, product: str, version: str) -> HttpResponse:
    user = signed_in(request)
    release = managed_release(user, product, version)
    words = _("The draft of %(release)s is deleted.") % {"release": release}
    if say(request, lambda: delete_draft(actor=user, release=release, at=timezone.now()), words):
        return redirect("releases:manage")
    return redirect("releases:manage_release", product, version)


@require_safe
@login_required
def preview(request: HttpRequest, product: str, version: str) -> HttpResponse:
    """The page of a draft as it will stand, for its managers alone. The addresses of its files do
    not answer yet, so nothing links to them.
    """
    release = managed_release(signed_in(request), product, version)
    if release.is_published(timezone.now()):
        return redirect(release)
    files = file_list(File.objects.filter(release=release), request.GET.dict())
    context = release_context(release, files, at=timezone.now())
    context |= {"is_preview": True, "installable": ""}
    response = render(request, "releases/release.html", context)
    response["X-Robots-Tag"] = "noindex"
    response["Cache-Control"] = "private, no-store"
    return response
