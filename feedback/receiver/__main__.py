"""`python -m feedback.receiver`: listens on RECEIVER_PORT until TERM, then drains."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from feedback.receiver.connection import CONNECTIONS, Connection, Receiver
from feedback.receiver.store import Store
from portal.lib import logs
from portal.processes import resolved

logger = logging.getLogger("feedback.receiver")

DRAIN: Final = 6.0  # seconds for reports that are being stored when TERM comes
OTHER_FILES: Final = 64  # that the process needs beside its connections
QUEUE: Final = 4096  # connections that wait in the system until they are taken
TAKEN_AT_ONCE: Final = 8


def secret(environ: Mapping[str, str], name: str) -> str:
    """NAME, or what the file that NAME_FILE names holds; the process does not start without."""
    path = environ.get(f"{name}_FILE", "")
    value = Path(path).read_text().strip() if path else environ.get(name, "").strip()
    if not value:
        sys.exit(f"{name} is not set. Set {name} or {name}_FILE (docs/settings.md).")
    return value


def room() -> int:
    """How many connections may be open: as many files as the system lets this process have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = CONNECTIONS + OTHER_FILES
    if most != resource.RLIM_INFINITY:
        files = min(files, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return max(files - OTHER_FILES, 1)


async def listen(receiver: Receiver, host: str, port: int) -> asyncio.Server:
    """Take connections by a few at once, so that room is made for them before the next.

    Asyncio takes as many at once as may wait, and where that uses up the open files of the
    process it takes none at all for a second. So it hears a small number, the system the large.
    """
    listening = socket.create_server((host, port), backlog=QUEUE)
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(receiver), sock=listening, backlog=TAKEN_AT_ONCE
    )
    listening.listen(QUEUE)
    return server


async def serve(environ: Mapping[str, str], kind: type[Store] = Store) -> None:
    """Take reports until TERM; every report that was read whole is stored or left unanswered."""
    store = kind(secret(environ, "DATABASE_URL"))
    receiver = Receiver(
        store,
        secret(environ, "FEEDBACK_PEPPER").encode(),
        trusted_proxies=int(environ.get("TRUSTED_PROXIES") or 0),
        countries=Path(path) if (path := environ.get("GEOIP_DATABASE")) else None,
        most=room(),
    )
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    writing = asyncio.create_task(store.run())
    host, port = environ["LISTEN_HOST"], int(environ["RECEIVER_PORT"])
    server = await listen(receiver, host, port)
    logger.info("receiver listens on %s port %s", host, port)
    await stop.wait()
    server.close()
    for connection in list(receiver.connections):
        connection.close_if_idle()
    store.close()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(writing, DRAIN)


def main() -> None:
    logs.begin()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(resolved(os.environ)))


if __name__ == "__main__":
    main()
