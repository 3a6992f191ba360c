"""The browser form: a file comes in, what was understood is shown, and kept when confirmed.

Nothing is stored in between. The file travels through the second page, packed, in a hidden field.
"""

from __future__ import annotations

import base64
import binascii
import gzip
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from benchmarks import advice, machines, mapping, tasks
from benchmarks.actions.mapping import remembered_roles
from benchmarks.actions.run import Kept, RunIdTakenError
from benchmarks.actions.upload import Said, Understood, understand, upload_run
from benchmarks.documents import RefusedError
from benchmarks.forms import ConfirmForm, FileForm, roles_in
from benchmarks.keys import address_of, claim_of, deletion_of
from benchmarks.readers import READERS
from benchmarks.throttle import may_preview, may_upload
from portal.accounts.models import User
from portal.lib.jobs import after_commit

SHOWN: Final = 50  # results that the second page lists
TOLD: Final = ("packed", "suite", "title", "cpu", "cores", "memory", "contact")
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
        understood, roles = _with_remembered_roles(request, raw, suite)
    except RefusedError as error:
        form.add_error("file", str(error))
        return _first_page(request, form, status=422)
    return _preview(request, understood, roles, {"packed": _packed(raw), "suite": suite})


def _with_remembered_roles(
    request: HttpRequest, raw: bytes, suite: str
) -> tuple[Understood, mapping.Roles]:
    """What was understood, with the parts of names as this person said them last time."""
    plain = understand(raw=raw, said=Said(suite=suite), at=timezone.now())
    if not isinstance(request.user, User):
        return plain, {}
    roles = remembered_roles(user=request.user, kind=plain.document.format)
    if not roles.keys() & mapping.shapes(plain.document).keys():
        return plain, {}
    return understand(raw=raw, said=Said(suite=suite, roles=roles), at=timezone.now()), roles


def _preview(
    request: HttpRequest, understood: Understood, roles: mapping.Roles, initial: dict[str, str]
) -> HttpResponse:
    told = {"title": understood.document.title, **initial}
    form = _confirm_form(request, understood, roles, initial=told)
    return _second_page(request, form, understood)


def _confirm_form(
    request: HttpRequest, understood: Understood, roles: mapping.Roles, **more: Any
) -> ConfirmForm:
    return ConfirmForm(
        document=understood.document,
        shapes=mapping.shapes(understood.document),
        roles=roles,
        has_account=isinstance(request.user, User),
        **more,
    )


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
        "unmapped": understood.unmapped(),
        "advice": advice.on(document),
        "kept": "\n".join(understood.original[:4000].decode(errors="ignore").split("\n")[:LINES]),
        "kept_size": len(understood.original),
    }
    return render(request, "benchmarks/confirm.html", context, status=status)


def _confirm(request: HttpRequest) -> HttpResponse:
    actor = request.user if isinstance(request.user, User) else None
    only_looks = "again" in request.POST
    if actor is None and not (may_preview(request) if only_looks else may_upload(request)):
        return _too_many(request)
    try:
        raw = _unpacked(request.POST["packed"])
        roles = roles_in(request.POST)
        plain = Said(suite=request.POST.get("suite", ""), roles=roles)
        understood = understand(raw=raw, said=plain, at=timezone.now())
        if only_looks:
            told = {name: request.POST.get(name, "") for name in TOLD}
            return _preview(request, understood, roles, told)
        form = _confirm_form(request, understood, roles, data=request.POST)
        if not form.is_valid():
            return _second_page(request, form, understood, status=422)
        kept = upload_run(actor=actor, raw=raw, said=form.said(), at=timezone.now())
    except RefusedError as error:
        return _refused(request, str(error))
    except RunIdTakenError:
        return _refused(request, _("The run id in the file belongs to another upload."))
    if kept.is_new:
        after_commit(tasks.compute_run, kept.run.pk)
    if kept.claim:
        return _kept(request, kept)
    return redirect(address_of(kept.run))


@never_cache
def _kept(request: HttpRequest, kept: Kept) -> HttpResponse:
    """The one page that ever shows the claim token of a run without an account."""
    context = {
        "run": kept.run,
        "address": request.build_absolute_uri(address_of(kept.run)),
        "claim": request.build_absolute_uri(claim_of(kept.run, kept.claim)),
        "deletion": request.build_absolute_uri(deletion_of(kept.run)),
    }
    return render(request, "benchmarks/kept.html", context)


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
