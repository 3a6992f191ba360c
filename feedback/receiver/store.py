"""Group commit: reports that arrive together share one COPY and one commit."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import enum
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
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


Told = Callable[[Kept], None]


@dataclass(slots=True, eq=False)
class Waiting:
    """A report on its way into the next commit, and who is told what became of it, once."""

    row: inbox.Row
    only_if_known: bool
    since: float  # by the clock of the loop
    told: Told | None

    def answer(self, kept: Kept) -> None:
        told, self.told = self.told, None
        try:
            if told:
                told(kept)
        except Exception:
            logger.exception("a sender could not be told")  # and the next one is


class Store:
    """The queue before PostgreSQL. `keep` answers after the commit, and never guesses."""

    def __init__(self, database_url: str) -> None:
        self._url = database_url
        self._waiting: deque[Waiting] = deque()
        self._unanswered: dict[Waiting, None] = {}  # longest first
        self._watch: asyncio.TimerHandle | None = None
        self._bytes = 0  # of the bodies that wait or are being written
        self._refused: Counter[tuple[dt.date, str]] = Counter()
        self._arrived = asyncio.Event()
        self._closing = False
        self._connection: psycopg.AsyncConnection | None = None

    def keep(self, row: inbox.Row, told: Told, *, only_if_known: bool = False) -> None:
        """Store a report, or a report of a server that has been counted before; `told` hears
        what became of it.

        Where the commit takes long the report stays in the queue, and its sender is let go.
        """
        size = len(row.body)
        full = len(self._waiting) >= WAITING_LIMIT or self._bytes + size > WAITING_BYTES
        if self._closing or full:
            told(Kept.NOT_STORED)
            return
        self._bytes += size
        loop = asyncio.get_running_loop()
        waiting = Waiting(row, only_if_known, loop.time(), told)
        self._waiting.append(waiting)
        self._unanswered[waiting] = None
        if self._watch is None:
            self._watch_oldest()
        self._arrived.set()

    def _watch_oldest(self) -> None:
        """One timer for all who wait: they come in order, and most are answered before it rings."""
        oldest, loop = next(iter(self._unanswered), None), asyncio.get_running_loop()
        when = oldest and oldest.since + ANSWER_WITHIN
        self._watch = loop.call_at(when, self._let_go) if when else None

    def _let_go(self) -> None:
        """Tell those who wait for too long. Their reports stay in the queue."""
        due = asyncio.get_running_loop().time() - ANSWER_WITHIN
        while self._unanswered and (oldest := next(iter(self._unanswered))).since <= due:
            del self._unanswered[oldest]
            oldest.answer(Kept.LATE)
        self._watch_oldest()

    def _end(self, batch: Iterable[Waiting], kept: Kept) -> None:
        """These leave the queue, and those of them who still wait are told."""
        for waiting in batch:
            self._bytes -= len(waiting.row.body)
            self._unanswered.pop(waiting, None)
            waiting.answer(kept)

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
            self._end([*batch, *late], Kept.NOT_STORED)  # at once: they come again in a minute
            return False
        self._end(stored, Kept.STORED)
        self._end(set(batch).difference(stored), Kept.STRANGER)
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
