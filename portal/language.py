"""In which language an answer is: people get their own, programs get the foundation's.

A page follows the choice that the visitor made at its foot, which is a cookie, else what their
browser asks for. What programs read has no language of its own: the same address gives everybody
the same bytes, and a file that was kept can be compared with the one of another day.
"""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers

from portal.anonymous import ANONYMOUS

# Interfaces of programs, and files: an address with an ending, such as .csv, .svg or .pdf.
FILE: Final = re.compile(r"/(?:(?:api|rest|health|webhooks)/.*|metrics|.*\.[A-Za-z0-9]+)")
# A page that knows nobody, yet is read by people.
READ: Final = re.compile(r"/governance/elections/[^/]+/ballots/(?:[^/]+/)?")


class LanguageMiddleware(LocaleMiddleware):
    """Django's, which does not touch what is for programs."""

    def process_request(self, request: HttpRequest) -> None:
        if not is_for_programs(request.path_info):
            super().process_request(request)
            return
        translation.activate(settings.LANGUAGE_CODE)
        request.LANGUAGE_CODE = settings.LANGUAGE_CODE

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if is_for_programs(request.path_info):
            response.headers.setdefault("Content-Language", settings.LANGUAGE_CODE)
            return response
        patch_vary_headers(response, ["Cookie"])
        return super().process_response(request, response)


def is_for_programs(path: str) -> bool:
    """Whether the answer at this address is the same in every language."""
    if READ.fullmatch(path):
        return False
    return bool(FILE.fullmatch(path) or ANONYMOUS.fullmatch(path))
