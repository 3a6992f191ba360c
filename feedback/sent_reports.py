"""Reports that were sent by hand, given back to whoever has the code."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

from feedback import inbox, shelf
from feedback.models import Incoming, Quarantined, Report
from feedback.packing import unpack
from feedback.parser import parse


def kept_under(code: str) -> list[dict[str, Any]]:
    """All that is kept of the reports of a deletion code: read, waiting or set aside."""
    digest = inbox.deletion_digest(code)
    reports = Report.objects.filter(deletion_digest=digest).order_by("received_at")
    told = [_told(report, values, "counted") for report, values in shelf.take(reports)]
    return [*told, *_unread(digest)]


def _unread(digest: bytes) -> Iterator[dict[str, Any]]:
    for kind, state in ((Incoming, "waits to be read"), (Quarantined, "set aside")):
        for row in kind._default_manager.filter(deletion_digest=digest).order_by("received_at"):
            yield _told(row, _values(bytes(row.body)), state)


def _values(body: bytes) -> Mapping[str, str]:
    """Nothing where it cannot be read, which may be why it was set aside."""
    try:
        return parse(unpack(body))
    except ValueError:
        return {}


def _told(
    row: Report | Incoming | Quarantined, values: Mapping[str, str], state: str
) -> dict[str, Any]:
    at: dt.datetime = row.received_at
    return {
        "state": state,
        "received_at": at.isoformat(),
        "country": row.country,
        "server": bytes(row.server_key).hex(),
        "values": dict(values),
    }
