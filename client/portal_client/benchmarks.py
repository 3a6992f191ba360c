"""`portal bench upload`: the one-file client, with the settings of this program."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any, Dict, Tuple

from portal_client import portal_benchmark
from portal_client.errors import OK, REFUSED, UNKNOWN_TOKEN, UNREACHABLE, UNREADABLE, PortalError
from portal_client.settings import find

KEPT = {200, 201}


def upload(options: Namespace) -> int:
    """Send each file; without a token the run waits until somebody has looked at it."""
    settings = find(options)
    options.url, options.token = settings
    told = "" if options.no_environment else json.dumps(portal_benchmark.environment())
    contents = [(name, _content(name)) for name in options.files]
    reports, worst = [], OK
    for name, content in contents:
        status, answer = _send(options, content, told)
        if status not in KEPT:
            worst = max(worst, _status(status))
            print(f"{name}: {portal_benchmark.why(status, answer)}", file=sys.stderr)
        elif not options.json and options.dry_run:
            portal_benchmark.foretell(name, answer)
        elif not options.json:
            portal_benchmark.tell(name, status, answer)
        reports.append({"file": name, "status": status, **answer})
    if options.json:
        print(json.dumps({"files": reports}))
    return worst


def _send(options: Namespace, content: bytes, told: str) -> Tuple[int, Dict[str, Any]]:
    fields = {**portal_benchmark.fields_of(options, content), "environment": told}
    body, kind = portal_benchmark.form(content, fields)
    end = "/preview" if options.dry_run else ""
    return portal_benchmark.send(
        options.url + portal_benchmark.PATH + end, options.token, body, kind
    )


def _content(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise PortalError(UNREADABLE, f"{name}: {error.strerror}") from None


def _status(status: int) -> int:
    if status == 401:
        return UNKNOWN_TOKEN
    return UNREACHABLE if status == 0 or status >= 500 else REFUSED
