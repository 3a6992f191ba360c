"""The public downloads REST API: anonymous, for scripts, with an ETag on each answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, Final
from urllib.parse import quote

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.lib import kept
from portal.lib.etag import etag_of
from releases import downloads
from releases.mirrors.redirect import holders
from releases.mirrors.ways import ways_to
from releases.models import File, Product, Release
from releases.restapi import documents, rows
from releases.stamp import with_files
from releases.views.download import release_file

JSON: Final = "application/json"
CACHE: Final = "public, max-age=60"


def _kept(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """The same answer while neither the catalogue nor the files have changed."""

    @wraps(view)
    def answered(request: HttpRequest, product: str, **names: str) -> HttpResponseBase:
        now = timezone.now()
        if request.GET.get("mirror"):
            return kept.unless_known(request, view(request, product, **names))
        stamp = with_files(product, next(iter(names.values()), ""), at=now)
        key = ("rest", request.get_full_path(), now.date())
        return kept.answer(
            request, key=key, stamp=stamp, write=lambda: view(request, product, **names)
        )

    return answered


@require_safe
def overview(request: HttpRequest) -> HttpResponseBase:
    """What can be asked for, for who comes to the root of it."""
    return kept.unless_known(request, _answer(documents.overview()))


@require_safe
def products(request: HttpRequest) -> HttpResponseBase:
    """Every product that has something published."""
    body = documents.products(Product.objects.shown(timezone.now()))
    return kept.unless_known(request, _answer(body))


@require_safe
@_kept
def product(request: HttpRequest, product: str) -> HttpResponse:
    """The series of a product."""
    now = timezone.now()
    leads = rows.leads(product, at=now)
    return _answer(documents.major_releases(leads, today=now.date()) if leads else None)


@require_safe
@_kept
def named(request: HttpRequest, product: str, name: str) -> HttpResponse:
    """The releases of a series, or one release of that exact version."""
    series, version = rows.named(product, name, at=timezone.now())
    if series:
        body = documents.releases(series, rows.files_of(series), mirror=_mirror(request, series[0]))
        return _answer({"releases": body})
    if not version:
        return _answer(None)
    files = rows.files_of(version, os=request.GET.get("os", ""), cpu=request.GET.get("cpu", ""))
    body = documents.releases(version, files, mirror=_mirror(request, version[0]))
    return _answer({"release_data": body})


@require_safe
@_kept
def latest(request: HttpRequest, product: str, series: str) -> HttpResponse:
    """The release of a series to take today."""
    now = timezone.now()
    found = rows.in_series(product, series, at=now)
    if not found:
        return _answer(None)
    files = rows.files_of(found[:1])
    status = documents.series_status(found[0], today=now.date())
    body = {
        "major_release_id": found[0].series.name,
        "major_release_status": status,
        "releases": documents.releases(found[:1], files, mirror=_mirror(request, found[0])),
    }
    return _answer(body)


@require_safe
@_kept
def all_releases(request: HttpRequest, product: str) -> HttpResponse:
    """Numbers only: of supported series, or with `olderReleases=true` of all."""
    now = timezone.now()
    found = rows.numbers(product, at=now)
    if not found:
        return _answer(None)
    if request.GET.get("olderReleases", "").lower() != "true":
        today = now.date()
        supported = [each for each in found if each.eol_on is None or each.eol_on > today]
        return _answer(documents.all_releases(supported))
    is_connector = found[0].kind == Product.Kind.CONNECTOR
    write = documents.grouped_releases if is_connector else documents.all_releases
    return _answer(write(found))


@require_safe
def mirrors(request: HttpRequest) -> HttpResponseBase:
    """Whom files may be taken from, by country."""
    return kept.unless_known(request, _answer(documents.mirrors(rows.mirrors(at=timezone.now()))))


@require_safe
def file(request: HttpRequest, product: str, version: str, name: str) -> HttpResponseBase:
    """The bytes of a file, by its name or number, from here or from the mirror that is named."""
    found = _file(product, version, name)
    if found is None:
        return _answer(None)
    elsewhere = _elsewhere(request, found)
    if elsewhere:
        redirect = HttpResponseRedirect(elsewhere)
        downloads.note(request, redirect, found.pk, timezone.now())
        return _public(redirect)
    response = release_file(request, product, version, found.name)
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def checksum(request: HttpRequest, product: str, version: str, name: str) -> HttpResponseBase:
    found = _file(product, version, name)
    if found is None:
        return _answer(None)
    return kept.unless_known(
        request, _answer({"response": {"checksum": documents.checksums(found.blob)}})
    )


@require_safe
def signature(request: HttpRequest, product: str, version: str, name: str) -> HttpResponseBase:
    found = _file(product, version, name)
    if found is None or not found.signature:
        return _answer(None)
    return kept.unless_known(request, _answer({"response": {"signature": found.signature}}))


def _file(product: str, version: str, name: str) -> File | None:
    """A file of a published release, by its name or by its number."""
    return rows.file(product, version, name, at=timezone.now())


def _mirror(request: HttpRequest, release: Release) -> str:
    """The name of the mirror that is asked for, if it can be had."""
    product, wanted = release.series.product, request.GET.get("mirror", "")
    found = rows.mirror(product, wanted, at=timezone.now())
    return found.slug if found else ""


def _elsewhere(request: HttpRequest, file: File) -> str:
    """The address of the file at the mirror that is asked for, if it has it by now."""
    wanted, now = request.GET.get("mirror", ""), timezone.now()
    for way in ways_to(file) if wanted else ():
        found = holders(way, now).filter(slug=wanted).first()
        if found is not None:
            return f"{found.base_url}{quote(way.path)}"
    return ""


def _answer(body: dict[str, Any] | None) -> HttpResponse:
    """JSON with the separators that clients match by regular expression; 404 for nothing."""
    if body is None:
        return _public(
            JsonResponse({"detail": "There is nothing published by this name."}, status=404)
        )
    text = json.dumps(body).encode()
    response = HttpResponse(text, content_type=JSON)
    response["ETag"] = etag_of(text)
    response["Cache-Control"] = CACHE
    return _public(response)


def _public(response: HttpResponse) -> HttpResponse:
    response["Access-Control-Allow-Origin"] = "*"
    return response
