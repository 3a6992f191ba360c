"""Inputs that nobody would send, and a receiver without sockets and database to take them.

Seeded: the same seed makes the same inputs. An input that is answered in a way that was not seen
before joins the pool that further ones are made from, as coverage does for other fuzzers. What once
led to a fault is kept in `corpus/`, together with what real senders send.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, cast

from feedback import inbox
from feedback.receiver.connection import Connection, Receiver
from feedback.receiver.limits import Buckets, Limits, Newcomers, Rate
from feedback.receiver.store import Kept, Store, Told
from feedback.tests.clients import PEPPER

CORPUS: Final = Path(__file__).parent / "corpus"
LARGEST: Final = 300_000  # bytes: beyond what the receiver takes
POOLED: Final = 40_000  # bytes of what may join the pool
POOL: Final = 1_500
WORDS: Final = [
    *(
        b"\0",
        b"\t",
        b"\n",
        b"\r\n",
        b"\r\n\r\n",
        b"\n--",
        b"--",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b":",
    ),
    *(b"Content-Length: 0\r\n", b"Content-Length: 99999999999999999999\r\n", b"HTTP/1.1"),
    *(b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n", b"GET ", b"POST "),
    *(b"X-Forwarded-For: 8.8.8.8, ::1%x\r\n", b"User-Agent: curl\r\n", b"/rest/v1/post"),
    *(b"FEEDBACK_SERVER_UID\t", b"FEEDBACK_USER_INFO\tmysql-test\n", b"PRODUCT\tmaxscale\n"),
    *(b"FEEDBACK_USER_INFO\tclaim:AAAAAA-BBBBBB\n", b"FEEDBACK_WHEN\tstartup\n", b"VERSION\t"),
    *(b"VARIABLE_NAME\tVARIABLE_VALUE\n", b"UPTIME\t99999999999999999999\n", b"UPTIME\t-1\n"),
    *(b"MEM_TOTAL\t999999999999999999\n", b"CPU_COUNT\t\xd9\xa1\n", b"VERSION\t30.99.999\n"),
]
_LENGTH: Final = re.compile(rb"(?<=Content-Length: )\d+")


def corpus() -> list[bytes]:
    return [path.read_bytes() for path in sorted(CORPUS.glob("*.bin"))]


class Fuzzer:
    """An endless row of inputs."""

    def __init__(self, seed: int, pool: list[bytes]) -> None:
        self.random = Random(seed)
        self.pool = pool
        self.seen: set[object] = set()
        self._changes: list[Callable[[bytearray], None]] = [
            self._flip,
            self._insert,
            self._delete,
            self._repeat,
            self._join,
            self._cut,
        ]

    def make(self) -> bytes:
        data = bytearray(self.random.choice(self.pool))
        for _ in range(self.random.randint(1, 4)):
            self.random.choice(self._changes)(data)
        if self.random.random() < 0.7:
            data[:] = with_true_length(bytes(data))
        return bytes(data[:LARGEST])

    def learn(self, data: bytes, behaviour: object) -> None:
        """Keep what led to something new."""
        if behaviour not in self.seen and len(data) <= POOLED and len(self.pool) < POOL:
            self.pool.append(data)
        self.seen.add(behaviour)

    def _place(self, data: bytearray) -> int:
        return self.random.randrange(len(data) + 1)

    def _flip(self, data: bytearray) -> None:
        for _ in range(min(len(data), self.random.randint(1, 8))):
            data[self.random.randrange(len(data))] = self.random.randrange(256)

    def _insert(self, data: bytearray) -> None:
        place = self._place(data)
        data[place:place] = self.random.choice(WORDS)

    def _delete(self, data: bytearray) -> None:
        place = self._place(data)
        del data[place : place + self.random.randint(1, 200)]

    def _repeat(self, data: bytearray) -> None:
        """A piece, often or, seldom, far too often."""
        place, times = self._place(data), self.random.randint(1, 4)
        piece = bytes(data[place : place + self.random.randint(1, 60)])
        if self.random.random() < 0.002:
            times = LARGEST // max(len(piece), 1)
        data[place:place] = piece * times

    def _join(self, data: bytearray) -> None:
        other = self.random.choice(self.pool)
        data[self._place(data) :] = other[self.random.randrange(len(other) + 1) :]

    def _cut(self, data: bytearray) -> None:
        del data[self._place(data) :]


def with_true_length(data: bytes) -> bytes:
    """The Content-Length that fits what follows the head, so that the body is read."""
    head, empty_line, body = data.partition(b"\r\n\r\n")
    return _LENGTH.sub(b"%d" % len(body), head, count=1) + empty_line + body


class Transport:
    """The other end: takes the answer."""

    def __init__(self) -> None:
        self.answer = b""
        self.is_closed = False

    def write(self, data: bytes) -> None:
        assert not self.is_closed
        self.answer += data

    def close(self) -> None:
        self.is_closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.is_closed

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        pass

    def get_extra_info(self, name: str) -> tuple[str, int]:
        return ("127.0.0.1", 1)


class Memory(Store):
    """Keeps the row for the one who looks."""

    def __init__(self) -> None:
        super().__init__("")
        self.row: inbox.Row | None = None

    def keep(self, row: inbox.Row, told: Told, *, only_if_known: bool = False) -> None:
        """Tells after the receiver has turned to something else, as after a commit."""
        self.row = row
        asyncio.get_running_loop().call_soon(told, Kept.STORED)


def quiet_receiver() -> Receiver:
    """One that hears everybody, with tables that are soon full."""
    rate = Rate(burst=10**9, per_hour=0)
    limits = Limits(Buckets(rate, most=100), Buckets(rate, most=100), Newcomers(10**9, most=100))
    return Receiver(Memory(), PEPPER, trusted_proxies=1, limits=limits)


async def take(receiver: Receiver, pieces: Iterator[bytes]) -> tuple[bytes, inbox.Row | None]:
    """What a sender of these pieces, who then ends, is answered, and what is stored."""
    store, transport = cast(Memory, receiver.store), Transport()
    store.row = None
    connection = Connection(receiver)
    connection.connection_made(cast(Any, transport))
    for piece in pieces:
        if transport.is_closed:
            break
        connection.data_received(piece)
    await asyncio.sleep(0)
    connection.eof_received()
    connection.connection_lost(None)
    return transport.answer, store.row


def in_pieces(data: bytes, random: Random) -> Iterator[bytes]:
    """Mostly at once, sometimes torn apart."""
    if random.random() < 0.8:
        yield data
        return
    at = 0
    while at < len(data):
        end = at + random.randint(1, max(len(data) // 3, 1))
        yield data[at:end]
        at = end
