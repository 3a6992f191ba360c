"""Sending the files of a draft from its page: the form for small ones, and taking files back.

With script the page sends chunks to the upload API instead (static/js/upload/).
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from portal.accounts.access import signed_in
from portal.accounts.models import User
from releases import naming, tasks
from releases.actions import upload as uploads
from releases.client import portal_upload
from releases.distributions import DISTRIBUTIONS
from releases.errors import RefusedError
from releases.models import File, Release, Upload
from releases.views.managed import managed_release

if TYPE_CHECKING:
    Sent = UploadedFile[bytes]

LARGEST_FORM: Final = 15 * 2**20  # all files of the plain form; the proxy in front takes 16 MiB
MOST_FILES: Final = 20


class FilesInput(forms.ClearableFileInput):
    """A file input for several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """The files that were chosen, as a list."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        return [super(FilesField, self).clean(file, initial) for file in data or [None]]


class UploadForm(forms.Form):
    """Files, and what to take them for where their names do not tell."""

    systems = tuple(DISTRIBUTIONS.values())
    chosen = FilesField(label=gettext_lazy("Files"))
    distributions = forms.MultipleChoiceField(
        label=gettext_lazy("Packages are for"),
        choices=[(found.slug, found.name) for found in DISTRIBUTIONS.values()],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=gettext_lazy("Where the name of a package does not tell."),
    )
    os = forms.ChoiceField(
        label=gettext_lazy("System"),
        choices=[("", gettext_lazy("as its name tells")), *File.System.choices[:-1]],
        required=False,
    )
    cpu = forms.RegexField(
        r"^[a-z0-9_]{0,20}$",
        label=gettext_lazy("Processor"),
        required=False,
        help_text=gettext_lazy("For example x86_64; empty: as its name tells."),
    )

    def told(self, name: str) -> dict[str, Any]:
        """What the file of this name is for: its name tells, else what was chosen."""
        found, chosen = naming.guess(name), self.cleaned_data
        kind = naming.package_format(name)
        fitting = [slug for slug in chosen["distributions"] if DISTRIBUTIONS[slug].format == kind]
        return {
            "distributions": list(found.distributions) or fitting,
            "os": chosen["os"] or found.os,
            "cpu": chosen["cpu"] or found.cpu,
        }


@cache
def _client() -> dict[str, str]:
    """Version and digest of the command line client, as it is served."""
    data = Path(portal_upload.__file__).read_bytes()
    return {"version": portal_upload.VERSION, "sha256": hashlib.sha256(data).hexdigest()}


def upload_context() -> dict[str, Any]:
    """What `releases/upload_form.html` shows beside the draft."""
    return {"upload_form": UploadForm(), "largest_form": LARGEST_FORM, "client": _client()}


@require_POST
@login_required
def upload_files(request: HttpRequest, product: str, version: str) -> HttpResponse:
    """The plain form: a few small files in one request."""
    user = signed_in(request)
    release = managed_release(user, product, version)
    back = redirect("releases:manage_release", product, version)
    if int(request.headers.get("content-length") or 0) > LARGEST_FORM:
        messages.error(request, _("This is too much for one form. Send less at a time."))
        return back
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        wrong = [str(error) for errors in form.errors.values() for error in errors]
        messages.error(request, _("Nothing was sent. %(why)s") % {"why": " ".join(wrong)})
        return back
    for file in form.cleaned_data["chosen"][:MOST_FILES]:
        _send(request, user, release, file, form.told(file.name))
    return back


def _send(
    request: HttpRequest,
    user: User,
    release: Release,
    file: Sent,
    told: dict[str, Any],
) -> None:
    """One file through the steps that every upload takes; what became of it as a message."""
    try:
        upload = _receive(user, release, file, told)
    except RefusedError as error:
        words = {"name": str(file.name)[:200], "why": str(error)}
        messages.error(request, _("%(name)s was not sent: %(why)s") % words)
        return
    transaction.on_commit(lambda: tasks.accept.delay(str(upload.pk)))
    messages.success(request, _("%(name)s is here and being checked.") % {"name": upload.name})


def _receive(user: User, release: Release, file: Sent, told: dict[str, Any]) -> Upload:
    found = hashlib.sha256()
    for chunk in file.chunks():
        found.update(chunk)
    now = timezone.now()
    upload = uploads.announce_upload(
        actor=user,
        release=release,
        name=str(file.name),
        size=file.size or 0,
        sha256=found.hexdigest(),
        at=now,
        **told,
    )
    if upload.is_open:
        for chunk in _rest(file, upload.offset):
            upload.offset = uploads.append_chunk(upload=upload, offset=upload.offset, data=chunk)
    return uploads.finish_upload(actor=user, upload=upload, at=now)


def _rest(file: Sent, offset: int) -> Any:
    file.seek(offset)
    return iter(lambda: file.read(uploads.LARGEST_CHUNK), b"")


@require_POST
@login_required
def withdraw(request: HttpRequest, product: str, version: str, upload_id: UUID) -> HttpResponse:
    """Take a file out of a draft, or give up an upload that was begun."""
    user = signed_in(request)
    release = managed_release(user, product, version)
    upload = get_object_or_404(release.uploads, pk=upload_id)
    try:
        uploads.withdraw_upload(actor=user, upload=upload, at=timezone.now())
    except RefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(name)s is taken back.") % {"name": upload.name})
    return redirect("releases:manage_release", product, version)
