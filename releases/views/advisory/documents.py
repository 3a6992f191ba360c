"""Advisories for programs: OSV, CSAF 2.0 with its directory, and an Atom feed."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import json
import zipfile
from typing import Any, Final

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from portal.lib import markdown
from releases.advisories import csaf, osv
from releases.advisories.facts import Facts, stamp
from releases.advisory import facts_of, publisher
from releases.models import Advisory

ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)


def _published() -> list[Facts]:
    """Every public advisory, newest change first."""
    now = timezone.now()
    found = Advisory.objects.published(now).with_ranges().order_by("-modified_at", "-pk")
    return facts_of(list(found), at=now)


def _one(identifier: str) -> Facts:
    now = timezone.now()
    public = Advisory.objects.published(now).with_ranges()
    return facts_of([get_object_or_404(public, identifier=identifier)], at=now)[0]


def _public(body: bytes, content_type: str) -> HttpResponse:
    response = HttpResponse(body, content_type=content_type)
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "public, max-age=300"
    return response


def _json(document: Any) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


@require_safe
def osv_entry(request: HttpRequest, identifier: str) -> HttpResponse:
    return _public(_json(osv.document(_one(identifier))), "application/json")


@require_safe
def osv_all(request: HttpRequest) -> HttpResponse:
    """Every entry in one list."""
    return _public(_json([osv.document(facts) for facts in _published()]), "application/json")


@require_safe
def osv_zip(request: HttpRequest) -> HttpResponse:
    """Every entry as a file, in the way that OSV databases are exported."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for facts in _published():
            entry = zipfile.ZipInfo(f"{facts.identifier}.json", ZIP_DATE)
            archive.writestr(entry, _json(osv.document(facts)), zipfile.ZIP_DEFLATED)
    return _public(buffer.getvalue(), "application/zip")


def _csaf(year: str, name: str) -> bytes:
    """The document of that name, or 404."""
    for facts in _published():
        if f"{facts.published:%Y}" == year and csaf.file_name(facts.identifier) == name:
            return _json(csaf.document(facts, publisher()))
    raise Http404


@require_safe
def csaf_document(request: HttpRequest, year: str, name: str) -> HttpResponse:
    return _public(_csaf(year, name), "application/json")


@require_safe
def csaf_checksum(request: HttpRequest, year: str, name: str, algorithm: str) -> HttpResponse:
    """A line that `sha256sum --check` and its like read."""
    digest = hashlib.new(algorithm, _csaf(year, name)).hexdigest()
    return _public(f"{digest}  {name}\n".encode(), "text/plain; charset=utf-8")


def _path(facts: Facts) -> str:
    return f"{facts.published.year}/{csaf.file_name(facts.identifier)}"


@require_safe
def csaf_folder(request: HttpRequest, year: str = "") -> HttpResponse:
    """The folder, or that of a year, as a page of links: downloaders look for one."""
    paths = [_path(facts) for facts in _published()]
    if year:
        names = sorted(path.removeprefix(f"{year}/") for path in paths if path.startswith(year))
    else:
        names = [*sorted({f"{path[:4]}/" for path in paths}), "changes.csv", "index.txt"]
    if not names:
        raise Http404
    context = {"path": request.path, "names": names}
    return render(request, "releases/folder.html", context)


@require_safe
def csaf_index(request: HttpRequest) -> HttpResponse:
    """The names of all documents, one a line."""
    lines = "".join(f"{_path(facts)}\n" for facts in _published())
    return _public(lines.encode(), "text/plain; charset=utf-8")


@require_safe
def csaf_changes(request: HttpRequest) -> HttpResponse:
    """The same with the time of the last change, newest first."""
    text = io.StringIO()
    table = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    found = sorted(_published(), key=lambda facts: facts.revisions[-1].at, reverse=True)
    table.writerows((_path(facts), stamp(facts.revisions[-1].at)) for facts in found)
    return _public(text.getvalue().encode(), "text/csv; charset=utf-8")


@require_safe
def csaf_provider(request: HttpRequest) -> HttpResponse:
    """Who publishes here, and where the documents are."""
    newest = max((facts.modified for facts in _published()), default=BEGINNING)
    return _public(_json(csaf.provider(publisher(), stamp(newest))), "application/json")


BEGINNING: Final = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


class AdvisoryFeed(Feed[Advisory, None]):
    """The newest advisories, withdrawn ones marked."""

    feed_type = Atom1Feed
    link = "/advisories/"

    def title(self) -> str:
        return _("Security advisories of the %(name)s") % {"name": settings.FOUNDATION_NAME}

    def items(self) -> Any:
        found = Advisory.objects.published(timezone.now()).select_related("product")
        return found.order_by("-modified_at", "-pk")[:30]

    def item_title(self, item: Advisory) -> str:
        prefix = _("Withdrawn: ") if item.withdrawn_at else ""
        return f"{prefix}{item.identifier}: {item.summary}"

    def item_description(self, item: Advisory) -> str:
        return str(markdown.render(item.details))

    def item_pubdate(self, item: Advisory) -> dt.datetime | None:
        return item.published_at

    def item_updateddate(self, item: Advisory) -> dt.datetime:
        return item.modified_at

    def item_categories(self, item: Advisory) -> list[str]:
        return [item.product.slug, item.severity, *item.cve_ids]
