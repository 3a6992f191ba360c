"""The configuration generator: every choice is in the address, in HTML, plain text and JSON.

Who asks for a `format` gets text, everybody else a page; `as=html`, `as=text` and `as=json` say it
outright, and so does an Accept header that wants JSON. What is not published answers 404 in each
of them, with what there is instead.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from portal.lib import kept, languages
from portal.lib.etag import etag_of
from releases import choices, configurator
from releases.choices.configuration import configuration
from releases.distributions import PROCESSORS
from releases.views import generator_json

PLAIN: Final = "text/plain; charset=utf-8"
FORMS: Final = {"text/html": "html", "text/plain": "text", "application/json": "json"}


@csrf_exempt  # it changes nothing, so a wrong method is told as one
@require_safe
def generator(request: HttpRequest) -> HttpResponseBase:
    """The page, the file itself, or everything for a program."""
    now = timezone.now()
    form = form_of(request)
    live = choices.live(at=now)

    def write() -> HttpResponse:
        return _written(request, form, live, now)

    if form == "html" and kept.knows_visitor(request):
        return kept.unless_known(request, write())
    key = kept.page_key(request, f"generator {form}", now.date())
    return kept.answer(request, key=key, stamp=live.stamp, write=write)


def _written(request: HttpRequest, form: str, live: choices.Live, now: datetime) -> HttpResponse:
    query = {name: value for name, value in request.GET.dict().items() if value != "json"}
    chosen = choices.choose(query, at=now, everything=live.targets)
    response = {"html": _page, "text": _text, "json": _json}[form](request, chosen, now)
    if chosen is None or chosen.missing_for(form):
        response.status_code = 404 if chosen or form != "html" else 200
    return _with_headers(response, is_public=form != "html")


def form_of(request: HttpRequest) -> str:
    """html, text or json: `as=` before `format=`, and that before the Accept header."""
    wanted = request.GET.get("as", "")
    if wanted in FORMS.values():
        return wanted
    named = request.GET.get("format", "")
    if named == "json":
        return "json"
    usual = ["text/plain", "application/json"] if named else [*FORMS]
    return FORMS[request.get_preferred_type(usual) or usual[0]]


def _page(request: HttpRequest, chosen: choices.Chosen | None, now: datetime) -> HttpResponse:
    if chosen is None:
        return render(request, "releases/generator_empty.html")
    choice = configuration(chosen, at=now)
    pieces = chosen.output.write(choice)
    query = query_of(chosen)
    is_usual = chosen.output == chosen.outputs[0]
    tabs = [(output, link(query | {"format": output.slug}, "html")) for output in chosen.outputs]
    context = {
        "chosen": chosen,
        "choice": choice,
        "missing": chosen.missing_for("html"),
        "products": [(found, link({"product": found.slug})) for found in chosen.products],
        "tabs": tabs,
        "pieces": [piece for piece in pieces if not piece.is_optional],
        "optional": [piece for piece in pieces if piece.is_optional],
        "address": link(query)
        if is_usual
        else link(query | {"format": chosen.output.slug}, "html"),
        "text_address": link(query | {"format": chosen.output.slug}),
        "json_address": link(query, "json"),
        "is_usual": is_usual,
        "architectures": [(found, PROCESSORS[found]) for found in chosen.architectures],
        "system_is_ended": chosen.system.is_ended(now.date()),
        "today": now.date(),
    }
    return render(request, "releases/generator.html", context)


@languages.for_the_record
def _text(request: HttpRequest, chosen: choices.Chosen | None, now: datetime) -> HttpResponse:
    if chosen is None:
        return HttpResponse("# No repository is published yet.\n", content_type=PLAIN)
    if chosen.missing:
        return render(
            request,
            "releases/generator_missing.txt",
            {"chosen": chosen, "missing": chosen.missing, "page": link(query_of(chosen))},
            content_type=PLAIN,
        )
    text = configurator.plain_text(configuration(chosen, at=now), chosen.output)
    return HttpResponse(text, content_type=PLAIN)


@languages.for_the_record
def _json(request: HttpRequest, chosen: choices.Chosen | None, now: datetime) -> HttpResponse:
    if chosen is None:
        return JsonResponse({"missing": ["product"], "offered": {}})
    choice = None if chosen.missing_for("json") else configuration(chosen, at=now)
    return JsonResponse(generator_json.answer(chosen, choice, query_of(chosen)))


def query_of(chosen: choices.Chosen) -> dict[str, str]:
    """The choices as they stand in the permanent address."""
    query = {
        "product": chosen.product.slug,
        "series": chosen.target.name,
        "distribution": chosen.system.slug,
        "arch": chosen.architecture,
    }
    return query | ({"mirror": chosen.mirror.slug} if chosen.mirror else {})


def link(query: dict[str, Any], form: str = "") -> str:
    shown = query | ({"as": form} if form else {})
    return f"{reverse('releases:generator')}?{urlencode(shown)}"


def _with_headers(response: HttpResponse, *, is_public: bool) -> HttpResponse:
    """An ETag, and programs of other sites may read what is public."""
    response["ETag"] = etag_of(response.content)
    response["Cache-Control"] = f"{'public' if is_public else 'private'}, no-cache"
    patch_vary_headers(response, ["Accept"])
    if is_public:
        response["Content-Language"] = settings.LANGUAGE_CODE
        response["Access-Control-Allow-Origin"] = "*"
    return response
