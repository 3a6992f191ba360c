"""The set-up script as the worker wrote it last, its checksum and its signature."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from releases import serving
from releases.models import SetupScript
from releases.views.download import CONTENT_TYPES, PLAIN


@require_safe
def setup_script(request: HttpRequest) -> HttpResponseBase:
    script = _newest()
    return _answer(request, script, script.text, PLAIN)


@require_safe
def setup_script_checksum(request: HttpRequest) -> HttpResponseBase:
    """A line that `sha256sum --check` reads."""
    script = _newest()
    return _answer(request, script, f"{script.sha256}  repo_setup\n", PLAIN)


@require_safe
def setup_script_signature(request: HttpRequest) -> HttpResponseBase:
    script = _newest()
    return _answer(request, script, script.signature, CONTENT_TYPES[".asc"])


def _newest() -> SetupScript:
    """A script that is not signed yet is nobody's business."""
    script = SetupScript.objects.signed().first()
    if script is None:
        raise Http404
    return script


def _answer(
    request: HttpRequest, script: SetupScript, text: str, content_type: str
) -> HttpResponseBase:
    etag = f'"{script.sha256[:40]}"'
    whole = HttpResponse(text, content_type=content_type)
    response = get_conditional_response(request, etag, response=whole) or whole
    response["ETag"] = etag
    response["Cache-Control"] = serving.ASK_AGAIN
    response["Access-Control-Allow-Origin"] = "*"
    return response
