"""A number of a connector as a small picture for its README, and the page that makes the link."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from benchmarks import badges, ledger, words
from benchmarks.models import LedgerLine, Suite, Trust
from portal.lib.etag import etag_of

KEPT_S: Final = 3600  # how long READMEs may show what they have
NARROWS: Final = ("version", "transport", "prepare", "placement")


@require_safe
def badge(request: HttpRequest) -> HttpResponse:
    """The newest result on the highest rung for this suite, case and subject; never a mean."""
    line = _line(request)
    case = request.GET.get("case", "")
    if line is None:
        drawn = badges.draw(case.replace("_", " "), _("no result yet"), "plain")
    else:
        one = line.result
        median = words.measure(one.statistics.median, one.unit)
        width = one.statistics.half_width
        value = f"{median} ± {words.percent(width)}" if width is not None else median
        conditions = [one.params.get(name) for name in ("transport",) if name in one.params]
        label = ", ".join([case.replace("_", " "), *map(str, conditions)])
        drawn = badges.draw(label, value, badges.TONES[Trust(line.trust)], _rung(line.trust))
    return _cached(request, drawn.encode())


def _line(request: HttpRequest) -> LedgerLine | None:
    query = request.GET
    suite = get_object_or_404(Suite, slug=query.get("suite", ""))
    if not query.get("case") or not query.get("subject"):
        raise Http404
    narrowed = {name: query[name] for name in NARROWS if query.get(name)}
    lines = LedgerLine.objects.told().filter(
        suite=suite, case_slug=query["case"], subject=query["subject"], **narrowed
    )
    return lines.order_by("metric", "-trust", "-uploaded_at").first()


def _rung(trust: int) -> str:
    return _("trust %s") % trust


def _cached(request: HttpRequest, body: bytes) -> HttpResponse:
    etag = etag_of(body)
    answer = HttpResponse(body, content_type="image/svg+xml")
    answer = get_conditional_response(request, etag=etag, response=answer) or answer
    answer["ETag"] = etag
    answer["Cache-Control"] = f"public, max-age={KEPT_S}"
    return answer


@require_safe
def badge_page(request: HttpRequest) -> HttpResponse:
    """Suite, case and subject are chosen one after the other; then the Markdown can be copied."""
    query = request.GET
    suites = list(Suite.objects.all())
    suite = next((one for one in suites if one.slug == query.get("suite")), None)
    case, subject = query.get("case", ""), query.get("subject", "")
    cases, subjects = ledger.subjects_by_case(suite, case) if suite else ([], [])
    context: dict[str, Any] = {
        "suites": suites,
        "suite": suite,
        "cases": cases,
        "subjects": subjects,
    }
    context |= {"case": case, "subject": subject}
    if suite and case in cases and subject in subjects:
        names = ("suite", "case", "subject", *NARROWS)
        told = urlencode({name: query[name] for name in names if query.get(name)})
        picture = request.build_absolute_uri(f"{reverse('benchmarks:badge')}?{told}")
        leads = urlencode({"case": case, "sort": "subject", "trust": "all"})
        target = request.build_absolute_uri(f"{suite.get_absolute_url()}?{leads}")
        text = f"{subject}, {case.replace('_', ' ')}"
        context |= {
            "picture": f"{reverse('benchmarks:badge')}?{told}",
            "markdown": f"[![{_bare(text)}]({picture})]({target})",
            "text": text,
        }
    return render(request, "benchmarks/badges.html", context)


def _bare(text: str) -> str:
    """Without the signs that end a link in Markdown."""
    return "".join(sign for sign in text if sign not in "[]\\`")
