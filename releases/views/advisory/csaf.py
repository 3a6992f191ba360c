"""Advisories as CSAF 2.0, with the directory of a provider."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
from typing import Final

from django.conf import settings
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from releases.advisories import csaf, rolie
from releases.advisories.facts import stamp
from releases.advisory import csaf_bytes, publisher
from releases.models import Advisory, SigningKey
from releases.views.advisory.published import JSON, as_json, one
from releases.views.public import public_answer

BESIDE: Final = ("", ".asc", ".sha256", ".sha512")
BEGINNING: Final = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)  # while there is no advisory
OF_ALL: Final = ("changes.csv", "index.txt", f"{rolie.FEED}.json", f"{rolie.CATEGORIES}.json")


def _called(year: str, name: str) -> Advisory:
    """The public advisory whose document has that name, or 404."""
    found = Advisory.objects.published(timezone.now()).called(name.removesuffix(".json")).first()
    if found is None or found.published_at is None or _path(found) != f"{year}/{name}":
        raise Http404
    return found


def _csaf(year: str, name: str) -> bytes:
    """As it was signed; in the moments before, as it will be."""
    found = _called(year, name)
    signed = found.signed_document()
    return signed.text.encode() if signed else csaf_bytes(one(found.identifier))


@require_safe
def csaf_document(request: HttpRequest, year: str, name: str) -> HttpResponseBase:
    return public_answer(request, _csaf(year, name), JSON)


@require_safe
def csaf_signature(request: HttpRequest, year: str, name: str) -> HttpResponseBase:
    """The detached signature of the document, 404 until there is one."""
    signed = _called(year, name).signed_document()
    if signed is None:
        raise Http404
    return public_answer(request, signed.signature, "text/plain; charset=utf-8")


@require_safe
def csaf_checksum(request: HttpRequest, year: str, name: str, algorithm: str) -> HttpResponseBase:
    """A line that `sha256sum --check` and its like read."""
    digest = hashlib.new(algorithm, _csaf(year, name)).hexdigest()
    return public_answer(request, f"{digest}  {name}\n", "text/plain; charset=utf-8")


def _path(found: Advisory) -> str:
    """Below the folder; `found` is public."""
    published = found.published_at or found.modified_at
    return f"{published.year:04}/{csaf.file_name(found.identifier)}"


def _paths() -> list[str]:
    """Of every document, newest change first."""
    found = Advisory.objects.published(timezone.now()).order_by("-modified_at", "-pk")
    return [_path(each) for each in found.only("identifier", "published_at", "modified_at")]


@require_safe
def csaf_folder(request: HttpRequest, year: str = "") -> HttpResponse:
    """The folder, or that of a year, as a page of links: downloaders look for one."""
    paths = _paths()
    if year:
        documents = sorted(path.removeprefix(f"{year}/") for path in paths if path.startswith(year))
        names = [f"{name}{end}" for name in documents for end in BESIDE]
    else:
        names = [*sorted({f"{path[:4]}/" for path in paths}), *OF_ALL]
    if not names:
        raise Http404
    context = {"path": request.path, "names": names}
    return render(request, "releases/folder.html", context)


@require_safe
def csaf_index(request: HttpRequest) -> HttpResponseBase:
    """The names of all documents, one a line."""
    lines = "".join(f"{path}\n" for path in _paths())
    return public_answer(request, lines, "text/plain; charset=utf-8")


@require_safe
def csaf_changes(request: HttpRequest) -> HttpResponseBase:
    """The same with the time of the last change, newest first."""
    text = io.StringIO()
    table = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    public = Advisory.objects.published(timezone.now())
    changes = dict(public.values_list("pk", Max("revisions__at")))
    found = sorted(public, key=lambda each: changes[each.pk], reverse=True)
    table.writerows((_path(each), stamp(changes[each.pk])) for each in found)
    return public_answer(request, text.getvalue(), "text/csv; charset=utf-8")


@require_safe
def csaf_provider(request: HttpRequest) -> HttpResponseBase:
    """Who publishes here, and where the documents are."""
    public = Advisory.objects.published(timezone.now())
    newest = public.aggregate(newest=Max("modified_at"))["newest"] or BEGINNING
    keys = SigningKey.objects.of_advisories().values_list("fingerprint", "name")
    urls = [(found, f"{settings.BASE_URL}/keys/{name}.asc") for found, name in keys]
    whose = publisher()
    told = csaf.provider(whose, stamp(newest), urls, [rolie.distribution(whose)])
    return public_answer(request, as_json(told), JSON)
