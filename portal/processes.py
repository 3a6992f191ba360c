"""The one table of processes: what runs, how it is started, how it is asked if it is well.

`make run`, the tests' stack, `/health/ready`, and the tests that compare it with
docker-compose.yml and deploy/systemd all read this table. It knows no Django.
To add a process: a row here, a service in docker-compose.yml, a unit in deploy/systemd,
a line in docs/architecture.md; a test names whichever is missing.
"""

from __future__ import annotations

import os
import string
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

Environ = Mapping[str, str]


def always(environ: Environ) -> bool:
    return True


def behind_no_proxy(environ: Environ) -> bool:
    """`make run` has no nginx: the door holds the public port in its place."""
    return bool(environ.get("PORT"))


def without_stripe(environ: Environ) -> bool:
    """The payment twin plays the provider in a demonstration, never beside real keys."""
    demonstration = environ.get("DEMONSTRATION", "").lower() in {"1", "yes", "true", "on"}
    key_file = environ.get("STRIPE_SECRET_KEY_FILE")
    key = Path(key_file).read_text() if key_file else environ.get("STRIPE_SECRET_KEY", "")
    return demonstration and not key.strip()


@dataclass(frozen=True)
class Process:
    """One row. `$NAME` in `command` and `asked` is taken from the environment."""

    name: str
    command: str
    speaks: str
    asked: str  # "http URL", "socket PATH" or "heartbeat NAME": see portal/health.py
    needed_when: Callable[[Environ], bool] = always
    environ: Mapping[str, str] = field(default_factory=dict)

    def argv(self, environ: Environ) -> list[str]:
        """The command line, run by this Python's programs."""
        known = resolved(environ)
        words = [_fill(word, known) for word in self.command.split()]
        return [sys.executable, "-m", *words]

    def question(self, environ: Environ) -> tuple[str, str]:
        """How readiness is asked, and where."""
        kind, _, address = self.asked.partition(" ")
        return kind, _fill(address, resolved(environ))


# Where the processes meet, in this order; a later default may use an earlier name.
# One machine needs to set none of these; containers set the ports and the _URL names.
DEFAULTS = {
    "STATE_DIR": str(Path(__file__).resolve().parent.parent / "var"),
    "LISTEN_HOST": "127.0.0.1",
    "WEB_PORT": "8001",
    "WEB_WORKERS": "1",
    "WEB_DRAIN": "0",
    "RECEIVER_PORT": "8002",
    "TWIN_PORT": "8003",
    "WORKER_CONCURRENCY": "2",
    "WEB_URL": "http://127.0.0.1:$WEB_PORT",
    "RECEIVER_URL": "http://127.0.0.1:$RECEIVER_PORT",
    "TWIN_URL": "http://127.0.0.1:$TWIN_PORT",
    "SIGNER_SOCKET": "$STATE_DIR/signer.sock",
    "REGISTRAR_SOCKET": "$STATE_DIR/registrar.sock",
    "BOX_SOCKET": "$STATE_DIR/box.sock",
}


def resolved(environ: Environ) -> dict[str, str]:
    """The environment with every name of `DEFAULTS` filled in."""
    result = dict(environ)
    for name, default in DEFAULTS.items():
        result[name] = result.get(name) or _fill(default, result)
    return result


def _fill(text: str, environ: Environ) -> str:
    return string.Template(text).substitute(environ)


PROCESSES = {
    process.name: process
    for process in [
        Process(
            name="web",
            command="portal.web",
            speaks="HTTP",
            asked="http $WEB_URL/health/live",
            # A pool is for web only: Celery forks must not share one.
            environ={"DATABASE_POOL_SIZE": "10"},
        ),
        Process(
            name="receiver",
            command="feedback.receiver",
            speaks="feedback POST on its own port, behind the door or the reverse proxy",
            asked="http $RECEIVER_URL/health/live",
        ),
        Process(
            name="door",
            command="feedback.door",
            speaks="HTTP on the public port; feedback reports to receiver, the rest to web",
            asked="http http://127.0.0.1:$PORT/health/live",
            needed_when=behind_no_proxy,
        ),
        Process(
            name="worker",
            command=(
                "celery --quiet --app portal worker --queues default,publishing,feedback,mail"
                " --concurrency $WORKER_CONCURRENCY --without-gossip --without-mingle"
            ),
            speaks="Redis",
            asked="heartbeat worker",
        ),
        Process(
            name="beat",
            command=(
                "celery --quiet --app portal beat --scheduler portal.heartbeat:Scheduler"
                " --schedule $STATE_DIR/beat-schedule --pidfile="
            ),
            speaks="Redis",
            asked="heartbeat beat",
        ),
        Process(
            name="signer",
            command="releases.signer",
            speaks="Unix socket",
            asked="heartbeat signer",  # told by the worker, which alone reaches the socket
        ),
        Process(
            name="registrar",
            command="governance.registrar",
            speaks="Unix socket",
            asked="socket $REGISTRAR_SOCKET",
        ),
        Process(
            name="box",
            command="governance.box",
            speaks="Unix socket",
            asked="socket $BOX_SOCKET",
        ),
        Process(
            name="twin",
            command="portal.payments.twin",
            speaks="HTTP, own port; the hosted payment page of the demonstration",
            asked="http $TWIN_URL/health/live",
            needed_when=without_stripe,
        ),
    ]
}


def needed(environ: Environ) -> list[Process]:
    """The processes that an installation with this environment runs."""
    return [process for process in PROCESSES.values() if process.needed_when(environ)]


def main() -> None:
    """`python -m portal.processes NAME` becomes that process: containers and units use it."""
    if len(sys.argv) != 2 or sys.argv[1] not in PROCESSES:
        sys.exit(f"Name one process: {', '.join(PROCESSES)}.")
    process = PROCESSES[sys.argv[1]]
    environ = resolved(os.environ) | dict(process.environ)
    argv = process.argv(environ)
    os.execve(argv[0], argv, environ)  # noqa: S606  (no shell is wanted)


if __name__ == "__main__":
    main()
