"""Reports as lines of JSON, and their way to the portal."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, Final

from .gather import Asked

PATH: Final = "/api/v1/feedback/reports"
BATCH_BYTES: Final = 4 * 2**20
BATCH_LINES: Final = 500
TRIES: Final = 5
FIRST_PAUSE: Final = 1.0
PATIENCE: Final = 120.0  # seconds for one batch
LATER: Final = {408, 425, 429, 500, 502, 503, 504}  # that may be another answer soon


class SubmissionError(Exception):
    """The portal did not take the reports; the text says why."""


@dataclass(slots=True)
class Told:
    """What the portal said of all batches."""

    taken: int = 0
    refused: list[str] = field(default_factory=list)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token elsewhere."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirect)


def line(asked: Asked) -> str:
    """A report as it is written to a file and submitted; the host is not named in it."""
    return json.dumps({"at": asked.at.isoformat(timespec="seconds"), "report": asked.report})


def batches(lines: Iterable[str]) -> Iterator[list[str]]:
    """As many lines together as go well into one request."""
    batch: list[str] = []
    size = 0
    for text in lines:
        if batch and (size + len(text) > BATCH_BYTES or len(batch) == BATCH_LINES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text) + 1
    if batch:
        yield batch


def submit(url: str, token: str, lines: Iterable[str]) -> Told:
    """Send all of it. A batch that is sent again is taken once."""
    told, number = Told(), 0
    for batch in batches(lines):
        answer = _insist(url.rstrip("/") + PATH, token, ("\n".join(batch) + "\n").encode())
        told.taken += answer["taken"]
        told.refused += [f"report {number + r['line']}: {r['reason']}" for r in answer["refused"]]
        number += len(batch)
    return told


def _insist(address: str, token: str, body: bytes) -> dict[str, Any]:
    """The answer to one batch, asked for again where the line or the portal fails."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"}
    request = urllib.request.Request(address, body, headers)  # noqa: S310  (http, as the user says)
    said = ""
    for number in range(TRIES):
        time.sleep(FIRST_PAUSE * 2 ** (number - 1) if number else 0)
        try:
            with _OPENER.open(request, timeout=PATIENCE) as answer:
                found: dict[str, Any] = json.loads(answer.read())
                return found
        except urllib.error.HTTPError as error:
            said = f"the portal answers {error.code}: {_reason(error)}"
            if error.code not in LATER:
                break
        except (OSError, HTTPException, ValueError) as error:
            said = f"the portal cannot be reached: {getattr(error, 'reason', error)}"
    raise SubmissionError(said)


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read())["detail"])
    except (ValueError, KeyError, TypeError):
        return error.reason
