"""Bylaws to read: what is in force on any day, every version, and what changed between two."""

from __future__ import annotations

from datetime import date, datetime

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from governance.bylaws import page as bylaws_page
from governance.bylaws import pdf as bylaws_pdf
from governance.bylaws import reasons as bylaws_reasons
from governance.models import Body, Bylaws, Proposal, Typo, Version
from governance.views.fetch import asked_day, moment
from portal.lib.open_data import for_everybody

TYPOS = Prefetch("typos", Typo.objects.select_related("reported_by", "decided_by"))


@require_safe
def bylaws_list(request: HttpRequest) -> HttpResponse:
    """What binds the foundation, what is proposed, what comes."""
    at = moment()
    today = timezone.localdate(at)
    proposals = Proposal.objects.visible_to(request.user, at).listed()
    context = {
        "documents": _documents(today),
        "proposals": proposals.under_way(),
        "drafts": proposals.filter(motion__state="draft"),
        "coming": Version.objects.coming(today).listed(),
        "may_propose": _may_propose(request, at),
        "at": at,
    }
    return render(request, "governance/bylaws_list.html", context)


@require_safe
def bylaws_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """The text in force today, or on the day that is asked for."""
    at = moment()
    today = timezone.localdate(at)
    asked = asked_day(request)
    on = asked or today
    of_these = Version.objects.filter(bylaws__slug=slug)
    version = of_these.in_force(on).with_bylaws().prefetch_related(TYPOS).first()
    if version is None:
        bylaws = get_object_or_404(Bylaws.objects.select_related("body"), slug=slug)
        first = bylaws.versions.order_by("number").first()
        context = {"bylaws": bylaws, "on": on, "first": first}
        return render(request, "governance/bylaws_empty.html", context)
    bad_day = bool(request.GET.get("on")) and asked is None
    return _version_page(request, version, on, at, not_a_date=bad_day)


@require_safe
def bylaws_version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    at = moment()
    found = Version.objects.with_bylaws().prefetch_related(TYPOS)
    version = get_object_or_404(found, bylaws__slug=slug, number=number)
    return _version_page(request, version, timezone.localdate(at), at)


@require_safe
def bylaws_markdown(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The text as it was adopted, byte for byte: its SHA-256 is the one that was voted on."""
    version = _version(slug, number)
    answer = HttpResponse(version.text, content_type="text/markdown; charset=utf-8")
    return for_everybody(request, answer)


@require_safe
def bylaws_file(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The version as PDF."""
    version = _version(slug, number)
    answer = HttpResponse(bylaws_pdf.written(version), content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{slug}-{number}.pdf"'
    return answer


@require_safe
def bylaws_json(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Every version with its articles, for programs."""
    bylaws = get_object_or_404(Bylaws.objects.select_related("body"), slug=slug)
    versions = [_as_data(version) for version in bylaws.versions.whole()]
    data = {"bylaws": bylaws.slug, "name": bylaws.name, "body": bylaws.body.slug}
    return for_everybody(request, JsonResponse({**data, "versions": versions}))


@require_safe
def bylaws_changes(request: HttpRequest, slug: str) -> HttpResponse:
    """The redline between two versions: `?before=1&after=3`, else the newest two."""
    bylaws = get_object_or_404(Bylaws, slug=slug)
    versions = {version.number: version for version in bylaws.versions.whole()}
    if not versions:
        raise Http404
    after = versions.get(_number(request, "after"), versions[max(versions)])
    before = versions.get(_number(request, "before")) or versions.get(after.number - 1) or after
    context = {
        "bylaws": bylaws,
        "versions": list(versions.values()),
        "before": before,
        "after": after,
        "redline": bylaws_page.between(before, after),
        "show_all": "all" in request.GET,
    }
    return render(request, "governance/bylaws_changes.html", context)


def _version(slug: str, number: int) -> Version:
    return get_object_or_404(Version.objects.whole(), bylaws__slug=slug, number=number)


def _version_page(
    request: HttpRequest, version: Version, on: date, at: datetime, *, not_a_date: bool = False
) -> HttpResponse:
    today = timezone.localdate(at)
    """A page of a version that was read with `TYPOS`."""
    bylaws = version.bylaws
    versions = list(bylaws.versions.listed())
    begun = [each for each in versions if each.effective_on <= today]
    current = begun[0] if begun else None
    typos = list(version.typos.all())
    proposals = Proposal.objects.visible_to(request.user, at).filter(bylaws=bylaws)
    context = {
        "version": version,
        "bylaws": bylaws,
        "on": on,
        "today": today,
        "not_a_date": not_a_date,
        "current": current,
        "is_current": current is not None and current.pk == version.pk,
        "versions": versions,
        "corrections": sorted(
            (each for each in typos if each.is_accepted), key=_decided, reverse=True
        ),
        "waiting": sorted((each for each in typos if each.decided_at is None), key=_reported),
        "moderates": bylaws_reasons.moderates(request.user, bylaws.body, at),
        "proposals": proposals.under_way().named(),
        "may_propose": Body.objects.of_voter(request.user, at).filter(pk=bylaws.body_id).exists(),
    }
    return render(request, "governance/bylaws_version.html", context)


def _decided(typo: Typo) -> tuple[datetime | None, int]:
    return typo.decided_at, typo.pk


def _reported(typo: Typo) -> tuple[datetime, int]:
    return typo.reported_at, typo.pk


def _documents(today: date) -> list[tuple[Bylaws, Version | None]]:
    in_force = {version.bylaws_id: version for version in Version.objects.in_force(today).listed()}
    found = Bylaws.objects.select_related("body")
    return [(bylaws, in_force.get(bylaws.pk)) for bylaws in found]


def _may_propose(request: HttpRequest, at: datetime) -> bool:
    bodies = Body.objects.of_voter(request.user, at)
    return Bylaws.objects.filter(body__in=bodies, versions__isnull=False).exists()


def _as_data(version: Version) -> dict[str, object]:
    return {
        "number": version.number,
        "adopted_on": version.adopted_on,
        "effective_on": version.effective_on,
        "resolution": version.adopted_by.resolution if version.adopted_by else None,
        "sha256": version.text_sha256,
        "articles": [
            {
                "number": article.title.number,
                "title": article.title.text,
                "clauses": [
                    {"number": clause.number, "anchor": clause.anchor, "text": clause.text}
                    for clause in article.clauses
                ],
            }
            for article in version.articles
        ],
        "corrections": [
            {"clause": typo.clause, "wrong": typo.wrong, "right": typo.right, "at": typo.decided_at}
            for typo in version.typos.all()
            if typo.is_accepted
        ],
    }


def _number(request: HttpRequest, name: str) -> int:
    asked = request.GET.get(name, "")
    return int(asked[:5]) if asked.isdecimal() else 0
