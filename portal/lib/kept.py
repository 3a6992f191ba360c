"""Answers that this process gave before, kept while nothing that they tell has changed.

What was answered is kept under everything of the request that it depends on, with a stamp of the
rows it tells of from before it was made: a change in the middle makes the next stamp another. The
part of a page that is the same for every visitor can be kept without the frame around it.
"""

from __future__ import annotations

import datetime as dt
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString
from django.utils.translation import get_language

ROOM: Final = 32 * 2**20  # bytes of bodies, in each process
MOST: Final = 4096  # answers: whoever asks for many small ones fills no memory with addresses
ALLOW: Final = "Access-Control-Allow-Origin"


@dataclass(frozen=True)
class Kept:
    stamp: str
    body: bytes
    headers: dict[str, str]


class Shelf:
    """Answers by key; those that nobody asked for longest go first."""

    def __init__(self, room: int = ROOM, most: int = MOST) -> None:
        self.room, self.most = room, most
        self._answers: OrderedDict[Hashable, Kept] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, key: Hashable, stamp: str) -> Kept | None:
        with self._lock:
            found = self._answers.get(key)
            if found is None or found.stamp != stamp:
                return None
            self._answers.move_to_end(key)
            return found

    def put(self, key: Hashable, answer: Kept) -> None:
        with self._lock:
            self._forget(key)
            self._answers[key] = answer
            self._size += len(answer.body)
            while self._size > self.room or len(self._answers) > self.most:
                self._forget(next(iter(self._answers)))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._answers.clear()
            self._size = 0

    def _forget(self, key: Hashable) -> None:
        if (left := self._answers.pop(key, None)) is not None:
            self._size -= len(left.body)


SHELF: Final = Shelf()


def answer(
    request: HttpRequest, *, key: Hashable, stamp: str, write: Callable[[], HttpResponse]
) -> HttpResponseBase:
    """The answer for `key`, written anew when the stamp is another. It has to have an ETag."""
    found = SHELF.get(key, stamp)
    if found is not None:
        return unless_known(request, HttpResponse(found.body, headers=found.headers))
    response = write()
    if response.status_code == HTTPStatus.OK:
        SHELF.put(key, Kept(stamp, response.content, dict(response.headers)))
    return unless_known(request, response)


def part(*, key: Hashable, stamp: str, write: Callable[[], str]) -> SafeString:
    """What is drawn the same for everybody, drawn anew when the stamp is another."""
    found = SHELF.get(key, stamp)
    if found is None:
        found = Kept(stamp, write().encode(), {})
        SHELF.put(key, found)
    return SafeString(found.body.decode())


def knows_visitor(request: HttpRequest) -> bool:
    """Whether a page may show a name or a message to this visitor alone."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES


def page_key(request: HttpRequest, name: str, day: dt.date) -> Hashable:
    """What a page depends on that shows nothing to one visitor alone."""
    theme = request.COOKIES.get("theme", "")
    return (name, request.get_full_path(), theme, get_language(), day)


def unless_known(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """304 for who has it already; what is not there is said each time."""
    if response.status_code != HTTPStatus.OK:
        return response
    told = get_conditional_response(request, response["ETag"], response=response) or response
    if ALLOW in response:
        told[ALLOW] = response[ALLOW]
    return told
