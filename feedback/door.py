"""The public port of `make run`, where no nginx stands in front.

Connections that open with a feedback report go to the receiver, all others to the web process,
byte for byte and in both directions; nothing is added. What upstream closes is closed here, so
"closed without a byte" reaches the database server that posts. One look at the first request
line decides for the whole connection (docs/decisions: the door).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from feedback.receiver.request import is_report
from portal.lib import logs
from portal.processes import resolved

logger = logging.getLogger(__name__)

PATIENCE: Final = 60.0  # seconds until a client must have said what it wants
LINGER: Final = 2.0  # seconds for the last bytes after one side has finished
LINE_LIMIT: Final = 8192
CHUNK: Final = 65536
STARTING: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 60\r\n\r\n"
    b"The portal is starting. Please try again in a few seconds.\r\n"
)

Address = tuple[str, int]


@dataclass(slots=True)
class Door:
    """Where a connection may lead, and the connections that are open now."""

    web: Address
    receiver: Address
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    def admit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a new connection in a task of its own."""
        task = asyncio.create_task(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def close(self) -> None:
        """Give open connections LINGER seconds to finish, then cut them."""
        if not self._open:
            return
        _, late = await asyncio.wait(self._open, timeout=LINGER)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from its first byte to its end."""
        with contextlib.suppress(OSError):
            try:
                async with asyncio.timeout(PATIENCE):
                    said = await first_line(reader)
                if said:
                    await self._connect(said, reader, writer)
            except TimeoutError:
                return
            finally:
                writer.close()

    async def _connect(
        self, said: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        report = is_report(said.partition(b"\n")[0])
        try:
            upstream = await asyncio.open_connection(*(self.receiver if report else self.web))
        except OSError:
            if not report:  # a report is answered by silence: the server sends it again
                writer.write(STARTING)
                await writer.drain()
            return
        upstream[1].write(said)
        await splice((reader, writer), upstream)


async def first_line(reader: asyncio.StreamReader) -> bytes:
    """What arrived up to the first line feed or more; nothing when the client left."""
    said = b""
    while b"\n" not in said and len(said) < LINE_LIMIT:
        data = await reader.read(LINE_LIMIT)
        if not data:
            break
        said += data
    return said


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def splice(client: Stream, upstream: Stream) -> None:
    """Carry bytes both ways until upstream has finished; a reset of one side resets the other."""
    upload = asyncio.create_task(_carry(client[0], upstream[1]))
    try:
        await _carry(upstream[0], client[1])
        await asyncio.wait({upload}, timeout=LINGER)
    finally:
        upload.cancel()
        upstream[1].close()


async def _carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(CHUNK):
            sink.write(data)
            await sink.drain()
        sink.write_eof()
    except OSError:
        sink.transport.abort()


async def run(environ: dict[str, str]) -> None:
    """Listen on PORT until TERM; connections then have LINGER seconds to finish."""
    door = Door(_address(environ["WEB_URL"]), _address(environ["RECEIVER_URL"]))
    host, port = environ["LISTEN_HOST"], int(environ["PORT"])
    server = await asyncio.start_server(door.admit, host, port, backlog=1024)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    logger.info("door listens on %s port %s", host, port)
    await stop.wait()
    server.close()
    await door.close()


def _address(url: str) -> Address:
    parts = urlsplit(url)
    return parts.hostname or "127.0.0.1", parts.port or 80


if __name__ == "__main__":
    logs.begin()
    asyncio.run(run(resolved(os.environ)))
