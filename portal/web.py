"""`python -m portal.web`: the pages, served by Granian; a stop loses no request.

Told to end (TERM), it goes on answering for WEB_DRAIN seconds: `/health/ready` says 503, and each
answer closes its connection, so that load balancers and nginx turn to the other web processes. Then
it takes no more connections, ends what it has begun, and stops.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from granian.constants import Interfaces
from granian.server.mp import MPServer

from portal import draining
from portal.processes import resolved

BACKPRESSURE: Final = 64  # requests at once in each worker
PATIENCE: Final = 30  # seconds for requests that were begun
LOGS: Final[dict[str, Any]] = {
    "formatters": {"portal": {"()": "portal.lib.logs.chosen"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "portal"}},
    "loggers": {"_granian": {"handlers": ["console"], "level": "INFO", "propagate": False}},
}


class Web(MPServer):
    """Granian, which waits before it stops."""

    drain: float = 0.0

    def shutdown(self, exit_code: int = 0) -> None:
        Path(os.environ[draining.FLAG]).touch()
        time.sleep(self.drain)
        super().shutdown(exit_code)  # type: ignore[no-untyped-call]


def main() -> None:
    environ = resolved(os.environ)
    server = Web(
        "portal.asgi:application",
        address=environ["LISTEN_HOST"],
        port=int(environ["WEB_PORT"]),
        interface=Interfaces.ASGINL,
        workers=int(environ["WEB_WORKERS"]),
        websockets=False,
        backpressure=BACKPRESSURE,
        workers_kill_timeout=PATIENCE,
        log_dictconfig=LOGS,
    )
    server.drain = float(environ["WEB_DRAIN"])
    with tempfile.TemporaryDirectory(prefix="portal-web-") as folder:
        os.environ[draining.FLAG] = f"{folder}/draining"  # the workers look for it
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # and count together there
        server.serve()


if __name__ == "__main__":
    main()
