"""Reports of many servers in one request, and reports of the past."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Schema, Status

from feedback import inbox
from feedback.actions.batch import receive_batch
from feedback.archives import LIMIT, UnusableError, date, from_line, in_time
from feedback.models import facts_since
from portal.accounts.models import ApiToken, User
from portal.accounts.tokens import TokenAuth, TokenScope
from portal.lib import ratelimit
from portal.lib.problems import Problem, refused

router = Router(tags=["feedback"])

MOST_LINES: Final = 2_000  # of one request
MOST_A_DAY: Final = 50_000  # reports of one account
DAY: Final = 86_400  # seconds
LINES: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": 'Lines `{"report": "KEY\\tVALUE\\n..."}`, at most 2,000 and 10 MB.',
        "content": {
            "application/x-ndjson": {
                "schema": {},  # a line that is none is refused alone
                "example": '{"report": "FEEDBACK_SERVER_UID\\tAAAA\\nVERSION\\t11.8.3\\n"}\n',
            }
        },
    }
}
BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "The body as a server posted it. `X-Report-Date` says when.",
        "content": {
            "multipart/form-data": {"schema": {"type": "object"}},
            "text/plain": {"schema": {"type": "string"}, "example": "VERSION\t11.8.3\n"},
        },
    },
    "parameters": [
        {
            "name": "X-Report-Date",
            "in": "header",
            "required": True,
            "description": "the day, as 2026-11-20 or with a time",
            "schema": {"type": "string"},
            "example": "2026-11-20",
        }
    ],
}


class RefusedLine(Schema):
    """``line`` counts from 1."""

    line: int
    reason: str


class BatchOut(Schema):
    taken: int
    refused: list[RefusedLine]


ANSWERS: Final = {200: BatchOut, 413: Problem, 422: Problem, 429: Problem}


@router.post(
    "/reports",
    auth=TokenAuth(TokenScope.SUBMIT_FEEDBACK),
    response=ANSWERS,
    openapi_extra=LINES,
    url_name="feedback_reports",
    summary="Submit the reports of a fleet",
)
def submit_reports(request: HttpRequest) -> Status[dict[str, Any]]:
    """Take each line that holds a report. Sent again, the same report changes nothing."""
    try:
        lines = [line for line in request.body.split(b"\n") if line.strip()]
    except RequestDataTooBig:
        return refused(413, "More than 10 MB. Send the lines in several requests.")
    if not lines:
        return refused(422, "The request has no lines.")
    if len(lines) > MOST_LINES:
        return refused(413, f"More than {MOST_LINES} lines. Send them in several requests.")
    now, rows, unusable = timezone.now(), [], []
    for number, line in enumerate(lines, 1):
        try:
            rows.append(_row(from_line(line).body, now))
        except UnusableError as error:
            unusable.append({"line": number, "reason": str(error)})
    return _taken(request, rows, unusable)


@router.post(
    "/backfill",
    auth=TokenAuth(TokenScope.BACKFILL_FEEDBACK),
    response=ANSWERS,
    openapi_extra=BODY,
    url_name="feedback_backfill",
    summary="Add a report of the past",
)
def backfill(request: HttpRequest) -> Status[dict[str, Any]]:
    """Take one report as if it had come on the day that `X-Report-Date` names."""
    try:
        body = request.body
    except RequestDataTooBig:
        body = b"x" * (LIMIT + 1)
    if len(body) > LIMIT:
        return refused(413, "The report is larger than 256 kB.")
    now = timezone.now()
    try:
        at = date(request.headers.get("X-Report-Date", ""))
        at = in_time(at, since=facts_since(now), now=now)
    except UnusableError as error:
        return refused(422, f"X-Report-Date: {error}")
    if not body.strip():
        return refused(422, "The request has no body.")
    return _taken(request, [_row(body, at)], [])


def _row(body: bytes, at: dt.datetime) -> inbox.Row:
    return inbox.row(body, pepper=str(settings.FEEDBACK_PEPPER).encode(), received_at=at)


def _taken(
    request: HttpRequest, rows: Sequence[inbox.Row], unusable: list[dict[str, Any]]
) -> Status[dict[str, Any]]:
    actor = _actor(request)
    if not _has_share(actor, len(rows)):
        ratelimit.stop(request, DAY)
        return refused(429, f"More than {MOST_A_DAY} reports in a day. Go on tomorrow.")
    taken = receive_batch(actor=actor, rows=rows) if rows else 0
    return Status(200, {"taken": taken, "refused": unusable})


def _actor(request: HttpRequest) -> User:
    token = getattr(request, "auth", None)
    assert isinstance(token, ApiToken)  # noqa: S101  (TokenAuth lets nobody else in)
    return token.user


def _has_share(actor: User, reports: int) -> bool:
    """Counts them; False when the account has had its share of the day."""
    key = f"feedback.batch.{actor.pk}"
    cache.add(key, 0, DAY)
    return cache.incr(key, reports) <= MOST_A_DAY if reports else True
