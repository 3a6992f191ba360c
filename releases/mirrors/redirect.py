"""Sending a download to a mirror, one hop, and only where the mirror is known to have it.

Indices that tell a client what is current are always answered here. What goes to a mirror is named
by its content or never changes, and its digest is known to the client from a signed index.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from django.conf import settings
from django.core.cache import cache
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils import timezone

from portal.lib.addresses import client_address
from portal.lib.geography import continent_of, country_of
from releases.mirrors.carried import Carried
from releases.mirrors.nearest import Place, ranked, visitor_of
from releases.models import Blob, Mirror, Sighting

NEVER: Final = "none"  # ?mirror=none: from here, please
AGAIN_WITHIN: Final = 600  # seconds in which a second request for the same file is answered here
DUPLICATES: Final = 3  # other mirrors that an answer names


def to_mirror(request: HttpRequest, carried: Carried | None) -> HttpResponse | None:
    """The redirect for this visitor, or None: answer the file from here."""
    wish = request.GET.get("mirror", "")
    if carried is None or wish == NEVER:
        return None
    places = {found.slug: found for found in holders(carried, timezone.now())}
    if not places:
        return None
    address = client_address(request.META, trusted_proxies=settings.TRUSTED_PROXIES)
    if _came_back(address, carried, is_head=request.method == "HEAD"):
        return None
    country = country_of(address, settings.GEOIP_DATABASE)
    order = ranked(
        [_place(mirror) for mirror in places.values()],
        country=country,
        continent=continent_of(country),
        visitor=visitor_of(address, settings.SECRET_KEY),
    )
    mirrors = [places[place.slug] for place in order]
    if wish in places:
        mirrors = [places[wish], *(found for found in mirrors if found.slug != wish)]
    return _redirect(carried, mirrors)


def holders(carried: Carried, at: dt.datetime) -> QuerySet[Mirror]:
    """Healthy mirrors that have the file: they were seen with a publication that holds it."""
    mirrors = Mirror.objects.offered(at).carrying(carried.product, carried.part)
    if carried.since is not None:
        return mirrors.filter(files_until__gte=carried.since)
    return mirrors.filter(Exists(Sighting.objects.filter(_seen(carried), mirror=OuterRef("pk"))))


def _seen(carried: Carried) -> Q:
    if carried.package is not None:
        return Q(
            repository__in=carried.repositories,
            repository__memberships__package=carried.package,
            serial__gte=F("repository__memberships__since_serial"),
        )
    publication = carried.publication
    assert publication is not None  # noqa: S101  (a file is of a release, package or publication)
    return Q(repository=publication.repository_id, serial__gte=publication.serial)


def _came_back(address: str, carried: Carried, *, is_head: bool) -> bool:
    """Whether the same address asks for the same file again: what the mirror gave was no good
    (unreachable, other bytes), so this time it comes from here. Known by a keyed hash, for ten
    minutes.
    """
    secret = settings.SECRET_KEY.encode()[:64]
    asked = f"{address} {carried.blob.sha256}".encode()
    key = f"mirrored:{hashlib.blake2b(asked, key=secret, digest_size=16).hexdigest()}"
    if is_head:
        return cache.get(key) is not None
    return not cache.add(key, 1, timeout=AGAIN_WITHIN)


def _place(mirror: Mirror) -> Place:
    return Place(mirror.slug, mirror.country, mirror.continent, mirror.weight)


def _redirect(carried: Carried, mirrors: list[Mirror]) -> HttpResponse:
    """302: the next visitor may be sent elsewhere, so nobody keeps it."""
    urls = [f"{mirror.base_url}{quote(carried.path)}" for mirror in mirrors]
    response = HttpResponseRedirect(urls[0])
    response["Cache-Control"] = "private, no-store"
    response["Link"] = ", ".join(_duplicates(urls, mirrors))
    describe(response, carried.blob)
    return response


def _duplicates(urls: list[str], mirrors: list[Mirror]) -> Iterable[str]:
    for number, (url, mirror) in enumerate(zip(urls, mirrors, strict=True), start=1):
        if number <= DUPLICATES:
            yield f"<{url}>; rel=duplicate; pri={number}; geo={mirror.country.lower()}"


def describe(response: HttpResponseBase, blob: Blob) -> None:
    """The digest of the whole file, as RFC 9530 and, for Metalink clients, RFC 3230 write it."""
    digest = base64.b64encode(bytes.fromhex(blob.sha256)).decode()
    response["Repr-Digest"] = f"sha-256=:{digest}:"
    response["Digest"] = f"SHA-256={digest}"
