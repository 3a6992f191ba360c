"""Pages of no app: home, choices of the foot, styleguide, robots, policy reports, errors."""

import json
import logging

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from portal import context_processors, home, styleguide
from portal.accounts.actions.account import choose_language
from portal.accounts.models import User
from portal.lib import languages, ratelimit

logger = logging.getLogger(__name__)

THEMES = {"system", "light", "dark"}
YEAR = 365 * 24 * 3600
REPORT_LIMIT = 16_384
REPORTS_AN_HOUR = 60  # of one address; more would only fill the log


@require_safe
def home_page(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", home.context(at=timezone.now()))


@require_safe
def styleguide_page(request: HttpRequest) -> HttpResponse:
    return render(request, "styleguide.html", styleguide.context(request))


@csrf_exempt  # it keeps nothing but a colour; a token would make every public page differ
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme in a cookie and go back to where the form stood."""
    response = _back(request)
    choice = request.POST.get("theme", "")
    if choice in THEMES:
        secure = request.is_secure()
        response.set_cookie("theme", choice, max_age=YEAR, samesite="Lax", secure=secure)
    return response


@csrf_exempt  # as the theme; who is signed in sends no session from another site (SameSite)
@require_POST
def language_choice(request: HttpRequest) -> HttpResponse:
    """Keep the language, in a cookie and with the account, and go back to where the form stood."""
    response = _back(request)
    choice = request.POST.get("language", "")
    if languages.offered(choice):
        languages.keep(request, response, choice)
        if isinstance(request.user, User):
            choose_language(user=request.user, language=choice)
    return response


def _back(request: HttpRequest) -> HttpResponse:
    """To the page that a form at the foot names, if it is one of this site."""
    target = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, request.is_secure()):
        target = "/"
    return redirect(target)


@csrf_exempt  # the browser sends it, without a token
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """A browser tells that the policy blocked something: one line in the log, nothing kept."""
    body = request.read(REPORT_LIMIT + 1)
    if len(body) > REPORT_LIMIT:
        return HttpResponse(status=413)
    if not ratelimit.allowed(request, action="csp-report", limit=REPORTS_AN_HOUR, seconds=3600):
        return HttpResponse(status=429)
    try:
        sent = json.loads(body)
        report = sent["csp-report"]
        told = {key: str(report.get(key))[:200] for key in ("document-uri", "blocked-uri")}
        directive = str(report.get("effective-directive") or report.get("violated-directive"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return HttpResponse(status=400)
    logger.warning("policy violation %.80r: %r", directive, told)
    return HttpResponse(status=204)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What crawlers may read: everything public; accounts and queries are of no use to them."""
    sitemap = request.build_absolute_uri("/sitemap.xml")
    text = render_to_string("robots.txt", {"sitemap": sitemap})
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for this name where a page names no icon (feeds, plain text)."""
    return redirect(static("img/mark.svg"), permanent=False)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for our mistakes. It asks neither the database nor the session."""
    context = {"request": request, **context_processors.site(request)}
    return HttpResponseServerError(render_to_string("500.html", context))
