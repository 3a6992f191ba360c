"""What the log says in place of a path: paths hold names of people and tokens of links."""

from __future__ import annotations

import logging
from typing import Final

from django.http import HttpRequest

# Who votes when is written down nowhere (docs/operations.md, Sealed elections).
UNWRITTEN: Final = "/governance/elections/"


def place_of(request: HttpRequest) -> str:
    """Which kind of page: its route, since addresses hold names and tokens."""
    found = request.resolver_match
    return f"/{found.route}" if found is not None else "no such address"


class WithoutPaths(logging.Filter):
    """Django names the path of a refused request, in which a link's token may stand."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if not isinstance(request, HttpRequest):
            return True
        if request.path_info.startswith(UNWRITTEN) and record.levelno < logging.ERROR:
            return False
        if isinstance(record.args, tuple):
            place = place_of(request)
            record.args = tuple(
                place if argument == request.path else argument for argument in record.args
            )
        return True
