"""Everything that is kept of an organisation, for its owner to take along."""

from __future__ import annotations

from tempfile import SpooledTemporaryFile
from typing import IO, cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.access import recently_authenticated, signed_in
from portal.lib.jobs import after_commit
from portal.lib.streams import stream
from portal.members import tasks
from portal.members.actions.data_export import IN_MEMORY, ask_for_export, make_export
from portal.members.export import is_small
from portal.members.models import DataExport, Organisation
from portal.members.rights import Part, own_organisation


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@recently_authenticated
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """What is in it, who gets it, and how far it is."""
    organisation = own_organisation(request, slug, Part.WHOLE)
    if request.method == "POST":
        _ask(request, organisation)
        return redirect("members:export", slug)
    kept = DataExport.objects.filter(organisation=organisation)
    waiting = kept.waiting().first()
    ready = None if waiting else kept.ready(timezone.now()).first()
    context = {
        "organisation": organisation,
        "waiting": waiting,
        "ready": ready,
        "failed": None if waiting or ready else kept.filter(failed_at__isnull=False).first(),
    }
    return render(request, "members/export.html", context)


def _ask(request: HttpRequest, organisation: Organisation) -> None:
    """A small one is made at once, every other by the worker."""
    now = timezone.now()
    asked = ask_for_export(actor=signed_in(request), organisation=organisation, at=now)
    if is_small(organisation):
        make_export(export_pk=asked.pk, at=now)
    else:
        after_commit(tasks.make_export, asked.pk)


@require_safe
@login_required
@recently_authenticated
def export_file(request: HttpRequest, slug: str, key: UUID) -> HttpResponseBase:
    """The file, for the owner alone, as long as it is kept."""
    organisation = own_organisation(request, slug, Part.WHOLE)
    ready = DataExport.objects.ready(timezone.now()).filter(organisation=organisation)
    found = get_object_or_404(ready, key=key)
    file = cast(IO[bytes], SpooledTemporaryFile(max_size=IN_MEMORY))  # noqa: SIM115 - the answer closes it
    for piece in found.content():
        file.write(piece)
    file.seek(0)
    response = stream(request, file, found.size)
    response["Content-Type"] = "application/zip"
    response["Content-Length"] = str(found.size)
    name = f"{slug}-{found.asked_at:%Y-%m-%d}.zip"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response
