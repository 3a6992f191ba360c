"""Group commit: reports that arrive together share one COPY and one commit."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import enum
import logging
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import psycopg

from feedback import inbox

logger = logging.getLogger(__name__)

BATCH: Final = 500  # reports of one commit
WAITING_LIMIT: Final = 5_000  # reports
WAITING_BYTES: Final = 64 * 2**20
GATHER: Final = 0.002  # seconds in which those who come together meet in one commit
PATIENCE: Final = 5.0  # seconds for one commit, connecting included
ANSWER_WITHIN: Final = 0.5  # seconds: a server that shuts down waits for its last answer
COUNT_EVERY: Final = 10.0  # seconds until refusals are written without a report beside them


class Kept(enum.Enum):
    """What became of a report; only the first is known to lie safe in the database."""

    STORED = "stored"
    STRANGER = "stranger"  # taken only from servers that are known, and this one is not
    NOT_STORED = "not_stored"
    LATE = "late"  # still on its way into the database, but nobody is kept waiting any longer


@dataclass(slots=True)
class Waiting:
    """A report on its way into the next commit, and who waits for that."""

    row: inbox.Row
    only_if_known: bool
    done: asyncio.Future[Kept]

    def answer(self, kept: Kept) -> None:
        if not self.done.done():
            self.done.set_result(kept)


class Store:
    """The queue before PostgreSQL. `keep` answers after the commit, and never guesses."""

    def __init__(self, database_url: str) -> None:
        self._url = database_url
        self._waiting: deque[Waiting] = deque()
        self._bytes = 0  # of the bodies that wait or are being written
        self._refused: Counter[tuple[dt.date, str]] = Counter()
        self._arrived = asyncio.Event()
        self._closing = False
        self._connection: psycopg.AsyncConnection | None = None

    async def keep(self, row: inbox.Row, *, only_if_known: bool = False) -> Kept:
        """Store a report, or a report of a server that has been counted before.

        Where the commit takes long the report stays in the queue, and its sender is let go.
        """
        size = len(row.body)
        full = len(self._waiting) >= WAITING_LIMIT or self._bytes + size > WAITING_BYTES
        if self._closing or full:
            return Kept.NOT_STORED
        self._bytes += size
        waiting = Waiting(row, only_if_known, asyncio.get_running_loop().create_future())
        waiting.done.add_done_callback(lambda _: self._release(size))
        self._waiting.append(waiting)
        self._arrived.set()
        done, _ = await asyncio.wait({waiting.done}, timeout=ANSWER_WITHIN)
        return waiting.done.result() if done else Kept.LATE

    def _release(self, size: int) -> None:
        self._bytes -= size

    def refuse(self, outcome: str) -> None:
        """Count a request that is refused for good; written with one of the next commits."""
        self._refused[(dt.datetime.now(dt.UTC).date(), outcome)] += 1

    async def run(self) -> None:
        """Write batch after batch until `close`; then what still waits."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(COUNT_EVERY):
                    await self._arrived.wait()
            self._arrived.clear()
            await asyncio.sleep(GATHER)
            while self._waiting or self._refused:
                if not await self._write_one_batch():
                    break
            if self._closing:
                await self._disconnect()
                return

    def close(self) -> None:
        """Take nothing more; `run` returns after the last commit."""
        self._closing = True
        self._arrived.set()

    async def _write_one_batch(self) -> bool:
        batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
        refused, self._refused = self._refused, Counter()
        try:
            async with asyncio.timeout(PATIENCE):
                stored = await self._commit(batch, refused)
        except (psycopg.Error, OSError, TimeoutError) as error:
            logger.warning("%d reports not stored: %s", len(batch), type(error).__name__)
            self._refused.update(refused)
            await self._disconnect()
            late, self._waiting = list(self._waiting), deque()
            _answer([*batch, *late], Kept.NOT_STORED)  # at once: they come again in a minute
            return False
        _answer(stored, Kept.STORED)
        _answer(batch, Kept.STRANGER)  # those that are left
        return True

    async def _commit(
        self, batch: Sequence[Waiting], refused: Counter[tuple[dt.date, str]]
    ) -> list[Waiting]:
        """Write what may be written; those are returned."""
        if self._connection is None:
            self._connection = await psycopg.AsyncConnection.connect(self._url, autocommit=True)
        stored = await _without_strangers(self._connection, batch)
        if stored:  # one statement, committed by itself: no round trips for BEGIN and COMMIT
            async with self._connection.cursor() as cursor, cursor.copy(inbox.COPY) as copy:
                copy.set_types(inbox.TYPES)
                for waiting in stored:
                    await copy.write_row(waiting.row.values())
        for (day, outcome), reports in list(refused.items()):
            await self._connection.execute(inbox.COUNT, (day, outcome, reports))
            del refused[(day, outcome)]
        return stored

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(psycopg.Error, OSError):
                await connection.close()


async def _without_strangers(
    connection: psycopg.AsyncConnection, batch: Sequence[Waiting]
) -> list[Waiting]:
    """Those who may come in: where a network shows too many servers, the known ones only."""
    asked = [waiting.row.server_key for waiting in batch if waiting.only_if_known]
    if not asked:
        return list(batch)
    rows = await (await connection.execute(inbox.KNOWN, [asked])).fetchall()
    known = {bytes(key) for (key,) in rows}
    return [w for w in batch if not w.only_if_known or w.row.server_key in known]


def _answer(batch: Iterable[Waiting], kept: Kept) -> None:
    for waiting in batch:
        waiting.answer(kept)
