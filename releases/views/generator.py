"""The configuration generator: every choice is in the address, in HTML, plain text and JSON."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from releases import choices, configurator
from releases.distributions import PROCESSORS


@require_safe
def generator(request: HttpRequest) -> HttpResponse:
    """The page; `format=` answers the file itself, `format=json` everything for a program."""
    now = timezone.now()
    chosen = choices.choose(request.GET.dict(), at=now)
    wanted = request.GET.get("format", "")
    if chosen is None:
        if wanted:
            raise Http404
        return render(request, "releases/generator_empty.html")
    choice = choices.configuration(chosen, at=now)
    outputs = configurator.outputs_for(choice.tool)
    if wanted and wanted != "json":
        output = configurator.OUTPUTS.get(wanted)
        if output not in outputs:
            raise Http404
        text = configurator.plain_text(choice, output)
        return _public(HttpResponse(text, content_type="text/plain; charset=utf-8"))
    query = query_of(chosen)
    if wanted == "json":
        return _public(JsonResponse(_as_json(chosen, choice, outputs, query)))
    shown = request.GET.get("output", "")
    output = next((found for found in outputs if found.slug == shown), outputs[0])
    context = {
        "chosen": chosen,
        "choice": choice,
        "outputs": outputs,
        "output": output,
        "pieces": output.write(choice),
        "query": urlencode(query),
        "address": f"{reverse('releases:generator')}?{urlencode(query)}",
        "architectures": [(found, PROCESSORS[found]) for found in chosen.architectures],
        "is_ended": chosen.offer.series.is_ended(now.date()),
        "today": now.date(),
    }
    return render(request, "releases/generator.html", context)


def query_of(chosen: choices.Chosen) -> dict[str, str]:
    """The choices as they stand in the permanent address."""
    return {
        "product": chosen.product.slug,
        "series": chosen.offer.series.name,
        "distribution": chosen.offer.system.slug,
        "arch": chosen.offer.architecture,
    }


def _as_json(
    chosen: choices.Chosen,
    choice: configurator.Choice,
    outputs: list[configurator.Output],
    query: dict[str, str],
) -> dict[str, Any]:
    key = chosen.offer.repository.current.key if chosen.offer.repository.current else None
    return {
        "choice": query,
        "installs": chosen.latest.version,
        "maturity": chosen.latest.maturity,
        "eol_date": chosen.offer.series.eol_on,
        "address": choice.address,
        "key": {
            "fingerprint": key.fingerprint if key else "",
            "armored": f"{choice.key_address}.asc",
            "binary": f"{choice.key_address}.pgp",
        },
        "formats": {
            output.slug: [
                {"kind": piece.kind, "path": piece.path, "text": piece.text}
                for piece in output.write(choice)
            ]
            for output in outputs
        },
        "offered": {
            "products": [found.slug for found in chosen.products],
            "series": [found.series.name for found in chosen.series],
            "distributions": [found.slug for found in chosen.systems],
            "architectures": chosen.architectures,
        },
    }


def _public(response: HttpResponse) -> HttpResponse:
    response["Access-Control-Allow-Origin"] = "*"
    return response
