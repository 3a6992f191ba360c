"""Which answers count as a download, and the buffer in Redis that they are counted in.

A download costs one command to Redis and no row. What is counted: file and day. Address and
program of the visitor are looked at to leave robots out, and kept nowhere.
"""

from __future__ import annotations

import datetime as dt
import logging
import re
from collections.abc import Iterator
from functools import cache
from typing import Final
from uuid import UUID, uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from redis import Redis, RedisError, ResponseError

logger = logging.getLogger(__name__)

KEY: Final = "releases:downloads"
PATIENCE: Final = 0.25  # seconds; a download never waits longer for its count
PROBE: Final = 1024  # bytes; who asks for less from the start looks, and does not download
ROBOTS: Final = re.compile(r"bot\b|crawl|spider|slurp|archiver|monitor|preview|check", re.I)
RANGE: Final = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
Counts = dict[tuple[int, dt.date], int]


def counts(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether this answer begins a download: the pieces of one that is resumed or fetched in
    parallel count once, by their first; HEAD, 304, robots and probes never.
    """
    if request.method != "GET" or ROBOTS.search(request.headers.get("User-Agent", "")):
        return False
    if response.status_code == 206:
        found = RANGE.fullmatch(response.headers.get("Content-Range", ""))
        if found is None:
            return False
        first, last, size = (int(number) for number in found.groups())
        return first == 0 and last + 1 >= min(PROBE, size)
    if response.status_code == 302:  # to a mirror, which sends the same range
        return request.headers.get("Range", "bytes=0-").startswith("bytes=0-")
    return response.status_code == 200


def note(request: HttpRequest, response: HttpResponseBase, file_id: int, at: dt.datetime) -> None:
    """Count it, if it counts. Without Redis the download goes on uncounted."""
    if not counts(request, response):
        return
    try:
        _redis().hincrby(KEY, f"{file_id}:{at.date().isoformat()}", 1)
    except RedisError as error:
        logger.warning("a download was not counted: %s", type(error).__name__)


def take() -> None:
    """Set aside what was counted so far as a batch with a name of its own."""
    try:
        _redis().rename(KEY, f"{KEY}:{uuid4()}")
    except ResponseError:
        return  # nothing was counted


def batches() -> Iterator[tuple[UUID, Counts]]:
    """What was set aside and is not forgotten yet, also by a process that died since."""
    for name in map(str, list(_redis().scan_iter(f"{KEY}:*"))):
        rows = _redis().hgetall(name)
        yield (
            UUID(name.rpartition(":")[2]),
            dict(_row(str(key), str(count)) for key, count in rows.items()),
        )


def forget(batch: UUID) -> None:
    _redis().delete(f"{KEY}:{batch}")


def _row(name: str, count: str) -> tuple[tuple[int, dt.date], int]:
    file_id, day = name.split(":")
    return (int(file_id), dt.date.fromisoformat(day)), int(count)


def _redis() -> Redis:
    return _client(settings.REDIS_URL)


@cache
def _client(url: str) -> Redis:
    return Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=PATIENCE,
        socket_connect_timeout=PATIENCE,
    )
