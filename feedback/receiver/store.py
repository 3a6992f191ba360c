"""Group commit: reports that arrive together share one COPY and one commit."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import logging
from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

import psycopg

from feedback import inbox

logger = logging.getLogger(__name__)

BATCH: Final = 500  # reports of one commit
WAITING_LIMIT: Final = 5_000  # reports
WAITING_BYTES: Final = 64 * 2**20
GATHER: Final = 0.002  # seconds in which those who come together meet in one commit
PATIENCE: Final = 5.0  # seconds for one commit, connecting included
COUNT_EVERY: Final = 10.0  # seconds until refusals are written without a report beside them

Waiting = tuple[inbox.Row, "asyncio.Future[bool]"]


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

    async def keep(self, row: inbox.Row) -> bool:
        """Whether the report lies safe in the database."""
        size = len(row.body)
        full = len(self._waiting) >= WAITING_LIMIT or self._bytes + size > WAITING_BYTES
        if self._closing or full:
            return False
        self._bytes += size
        try:
            return await self._enqueue(row)
        finally:
            self._bytes -= size

    async def _enqueue(self, row: inbox.Row) -> bool:
        kept: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((row, kept))
        self._arrived.set()
        return await kept

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
                await self._commit([row for row, _ in batch], refused)
        except (psycopg.Error, OSError, TimeoutError) as error:
            logger.warning("%d reports not stored: %s", len(batch), type(error).__name__)
            self._refused.update(refused)
            await self._disconnect()
            late, self._waiting = list(self._waiting), deque()
            _answer([*batch, *late], kept=False)  # at once: they come again in a minute
            return False
        _answer(batch, kept=True)
        return True

    async def _commit(
        self, rows: Sequence[inbox.Row], refused: Counter[tuple[dt.date, str]]
    ) -> None:
        if self._connection is None:
            self._connection = await psycopg.AsyncConnection.connect(self._url, autocommit=True)
        if rows:  # one statement, committed by itself: no round trips for BEGIN and COMMIT
            async with self._connection.cursor() as cursor, cursor.copy(inbox.COPY) as copy:
                copy.set_types(inbox.TYPES)
                for row in rows:
                    await copy.write_row(row.values())
        for (day, outcome), reports in list(refused.items()):
            await self._connection.execute(inbox.COUNT, (day, outcome, reports))
            del refused[(day, outcome)]

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(psycopg.Error, OSError):
                await connection.close()


def _answer(batch: Sequence[Waiting], *, kept: bool) -> None:
    for _, future in batch:
        if not future.done():
            future.set_result(kept)
