"""The browser form: a file comes in, what was understood is shown, and kept when confirmed.

Nothing is stored in between. The file travels through the second page, packed, in a hidden field.
"""

from __future__ import annotations

import base64
import binascii
import gzip
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from benchmarks import machines, tasks
from benchmarks.actions.run import RunIdTakenError
from benchmarks.actions.upload import Said, Understood, understand, upload_run
from benchmarks.documents import RefusedError
from benchmarks.forms import ConfirmForm, FileForm
from benchmarks.readers import READERS
from benchmarks.sending import address_of
from benchmarks.throttle import may_preview, may_upload
from portal.accounts.models import User
from portal.lib.jobs import after_commit

SHOWN: Final = 50  # results that the second page lists
LINES: Final = 24  # lines of the file


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _first_page(request, FileForm())
    if "packed" in request.POST:
        return _confirm(request)
    if not isinstance(request.user, User) and not may_preview(request):
        return _too_many(request)
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _first_page(request, form, status=422)
    raw = form.cleaned_data["file"].read()
    return _read(request, form, raw)


def _first_page(request: HttpRequest, form: FileForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "formats": [reader.name for reader in READERS.values()]}
    return render(request, "benchmarks/upload.html", context, status=status)


def _read(request: HttpRequest, form: FileForm, raw: bytes) -> HttpResponse:
    """Show what was understood, before anything is kept."""
    suite = form.cleaned_data["suite"]
    try:
        understood = understand(raw=raw, said=Said(suite=suite), at=timezone.now())
    except RefusedError as error:
        form.add_error("file", str(error))
        return _first_page(request, form, status=422)
    confirm = ConfirmForm(
        document=understood.document,
        initial={"packed": _packed(raw), "suite": suite, "title": understood.document.title},
    )
    return _second_page(request, confirm, understood)


def _second_page(
    request: HttpRequest, form: ConfirmForm, understood: Understood, status: int = 200
) -> HttpResponse:
    document = understood.document
    context = {
        "form": form,
        "document": document,
        "reader": READERS[document.format].name,
        "suite_slug": understood.suite_slug,
        "results": document.results[:SHOWN],
        "left_over": max(0, len(document.results) - SHOWN),
        "machine": machines.in_words(document.environment),
        "kept": "\n".join(understood.original[:4000].decode(errors="ignore").split("\n")[:LINES]),
        "kept_size": len(understood.original),
    }
    return render(request, "benchmarks/confirm.html", context, status=status)


def _confirm(request: HttpRequest) -> HttpResponse:
    actor = request.user if isinstance(request.user, User) else None
    if actor is None and not may_upload(request):
        return _too_many(request)
    try:
        raw = _unpacked(request.POST["packed"])
        plain = Said(suite=request.POST.get("suite", ""))
        understood = understand(raw=raw, said=plain, at=timezone.now())
        form = ConfirmForm(request.POST, document=understood.document)
        if not form.is_valid():
            return _second_page(request, form, understood, status=422)
        kept = upload_run(actor=actor, raw=raw, said=form.said(), at=timezone.now())
    except RefusedError as error:
        return _refused(request, str(error))
    except RunIdTakenError:
        return _refused(request, _("The run id in the file belongs to another upload."))
    if kept.is_new:
        after_commit(tasks.compute_run, kept.run.pk)
    return redirect(address_of(kept.run))


def _refused(request: HttpRequest, reason: str, status: int = 422) -> HttpResponse:
    form = FileForm({})
    form.add_error("file", reason)
    return _first_page(request, form, status=status)


def _too_many(request: HttpRequest) -> HttpResponse:
    """Before the file is read: reading is what costs."""
    reason = _("Too many uploads from this address. Sign in, or wait an hour.")
    return _refused(request, reason, status=429)


def _packed(raw: bytes) -> str:
    packed = raw if raw.startswith(b"\x1f\x8b") else gzip.compress(raw, mtime=0)
    return base64.b64encode(packed).decode()


def _unpacked(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise RefusedError("", _("The file was lost on the way. Choose it again.")) from None
