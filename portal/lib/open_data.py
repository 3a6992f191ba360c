"""What any site may read, and asks with its ETag whether it changed."""

import hashlib

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response


def for_everybody(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """The response with its headers, or 304 for who has it already."""
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = etag
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "public, no-cache"
    found = get_conditional_response(request, etag=etag, response=response) or response
    found["Access-Control-Allow-Origin"] = "*"
    return found
