"""Asks many servers at the same time."""

from __future__ import annotations

import datetime as dt
import os
import selectors
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Final

from .hosts import Address
from .line import Line, Place
from .packets import ProtocolError, ServerError
from .reports import NothingSaidError, report_of
from .talk import Account, Tls

LOOKED_UP_AT_ONCE: Final = 16  # names; each may take as long as a server
_NO_SOCKET: Final = -1


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one server: its report, or why there is none."""

    host: str
    at: dt.datetime
    report: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """How servers are asked; the same for all of them."""

    account: Account
    tls: Tls
    patience: float  # seconds for one server
    at_once: int


@dataclass(slots=True)
class _Asking:
    """A server that is being asked."""

    host: str
    line: Line
    at: dt.datetime
    until: float
    number: int = _NO_SOCKET  # while its name is being looked up


def gather(servers: Mapping[str, Address], way: Way) -> Iterator[Asked]:
    """What comes of each server, as soon as it is known."""
    with _Gathering(way) as gathering:
        for host, address in servers.items():
            while len(gathering.asked) >= way.at_once:
                yield from gathering.wait()
            yield from gathering.begin(host, address)
        while gathering.asked:
            yield from gathering.wait()


class _Gathering:
    """All servers that are being asked, by one thread; names are looked up by others."""

    def __init__(self, way: Way) -> None:
        self._way = way
        self.asked: dict[str, _Asking] = {}  # longest first
        self._selector = selectors.DefaultSelector()
        self._found: SimpleQueue[tuple[str, Future[list[Place]]]] = SimpleQueue()
        self._woken, self._waker = socket.socketpair()
        self._pool = ThreadPoolExecutor(LOOKED_UP_AT_ONCE, "names")  # threads as they are needed

    def __enter__(self) -> _Gathering:
        self._selector.register(self._woken, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        for asking in self.asked.values():
            self._leave(asking)
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._selector.close()
        self._woken.close()
        self._waker.close()

    def begin(self, host: str, address: Address) -> Iterator[Asked]:
        """Ask one more."""
        until = time.monotonic() + self._way.patience
        account, tls = self._way.account, self._way.tls
        name = address if isinstance(address, str) else address[0]
        line = Line(name, report_of(account, tls), tls.context)
        asking = _Asking(host, line, dt.datetime.now(dt.UTC), until)
        self.asked[host] = asking
        if place := _written(address):
            yield from self._connect(asking, partial(line.start, [place]))
        elif not isinstance(address, str):
            found = self._pool.submit(_looked_up, *address)
            found.add_done_callback(lambda done: self._wake(host, done))

    def _wake(self, host: str, done: Future[list[Place]]) -> None:
        """From another thread: a name was looked up."""
        self._found.put((host, done))
        try:
            self._waker.send(b"\0")
        except OSError:
            return  # nobody waits any more

    def wait(self) -> Iterator[Asked]:
        """What comes of some of them; each time a little happens at least."""
        oldest = next(iter(self.asked.values()))
        for key, _ in self._selector.select(max(oldest.until - time.monotonic(), 0)):
            if key.data is None:
                yield from self._hear_of_names()
            else:
                yield from self._go_on(key.data)
        now = time.monotonic()
        while self.asked and (oldest := next(iter(self.asked.values()))).until <= now:
            yield self._end(oldest, error=f"no answer within {self._way.patience:g} seconds")

    def _hear_of_names(self) -> Iterator[Asked]:
        self._woken.recv(4096)
        while not self._found.empty():
            host, found = self._found.get()
            asking = self.asked.get(host)
            if asking is None or found.cancelled():
                continue
            try:
                places = found.result()
            except OSError as error:
                yield self._end(asking, error=_words(error))
            else:
                yield from self._connect(asking, partial(asking.line.start, places))

    def _connect(self, asking: _Asking, begin: Callable[[], int]) -> Iterator[Asked]:
        try:
            asking.number = begin()
        except OSError as error:
            yield self._end(asking, error=_words(error))
        else:
            self._selector.register(asking.number, selectors.EVENT_READ, asking)

    def _go_on(self, asking: _Asking) -> Iterator[Asked]:
        try:
            report = asking.line.go_on()
        except (OSError, ServerError, ProtocolError, NothingSaidError) as error:
            if isinstance(error, OSError) and asking.line.may_be_elsewhere():
                self._leave(asking)
                yield from self._connect(asking, asking.line.connect)
            else:
                is_well = isinstance(error, (ServerError, NothingSaidError))
                yield self._end(asking, error=_words(error), politely=is_well)
        else:
            if report is not None:
                yield self._end(asking, report=report, politely=True)

    def _leave(self, asking: _Asking, *, politely: bool = False) -> None:
        if asking.number != _NO_SOCKET:
            self._selector.unregister(asking.number)
            asking.number = _NO_SOCKET
            asking.line.close(politely=politely)

    def _end(
        self, asking: _Asking, *, report: str = "", error: str = "", politely: bool = False
    ) -> Asked:
        self._leave(asking, politely=politely)
        del self.asked[asking.host]
        return Asked(asking.host, asking.at, report, error)


def _written(address: Address) -> Place | None:
    """Where a server is, when that needs no looking up.

    >>> _written("/run/mysqld/mysqld.sock"), _written(("localhost", 3306))
    ((<AddressFamily.AF_UNIX: 1>, '/run/mysqld/mysqld.sock'), None)
    """
    if isinstance(address, str):
        return socket.AF_UNIX, address
    for family in (socket.AF_INET, socket.AF_INET6):
        with suppress(OSError):
            socket.inet_pton(family, address[0])
            return family, address
    return None


def _looked_up(name: str, port: int) -> list[Place]:
    """Where a server may be by its name."""
    found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return [(family, place) for family, _, _, _, place in found]


def _words(error: Exception) -> str:
    """What went wrong, for the one who reads the list."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not good: {error.verify_message}"
    if not isinstance(error, OSError):
        return str(error)
    number = error.errno or 0  # those of names and of TLS are not the system's
    return (os.strerror(number) if number > 0 else str(error)) or type(error).__name__
