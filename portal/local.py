"""The environment of an installation on one's own machine, where nothing was set.

Secrets are made once and kept in the state folder, readable by its owner only. A server
in production sets `SECRET_KEY`, and then nothing here applies: it refuses to guess.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path

from portal import embedded, processes

SECRETS = ["SECRET_KEY", "FEEDBACK_PEPPER", "STRIPE_WEBHOOK_SECRET", "METRICS_TOKEN"]
DEMONSTRATION_SECRETS = ["DEMONSTRATION_PASSWORD"]
PORTS = ["PORT", "TWIN_PORT"]  # commands link to the one, and ask the other about payments


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """`environ` with secrets, ports and addresses filled in; what was set stays."""
    kept = _kept(Path(processes.resolved(environ)["STATE_DIR"]))
    result = processes.resolved({**{name: kept[name] for name in PORTS if name in kept}, **environ})
    result.setdefault("BASE_URL", f"http://localhost:{result['PORT']}")
    result.setdefault("ALLOWED_HOSTS", "localhost,127.0.0.1")
    result.setdefault("DEMONSTRATION", "yes")
    for name in SECRETS + DEMONSTRATION_SECRETS:
        if not result.get(f"{name}_FILE"):
            result[name] = result.get(name) or kept[name]
    return result


def remember(environ: Mapping[str, str]) -> None:
    """Keep the ports of this run, so that commands in a second terminal find the same addresses."""
    state = Path(environ["STATE_DIR"])
    kept = _kept(state)
    ports = {name: environ[name] for name in PORTS}
    if kept | ports != kept:
        embedded.write_private(_file(state), json.dumps(kept | ports, indent=1))


@contextlib.contextmanager
def installation(environ: MutableMapping[str, str] = os.environ) -> Iterator[None]:
    """For `manage.py`: the running `make run`, or its data with servers of our own."""
    if environ.get("SECRET_KEY") or environ.get("SECRET_KEY_FILE"):
        yield
        return
    environ.update(environment(environ))
    with embedded.provided(Path(environ["STATE_DIR"]), environ):
        yield


def _kept(state: Path) -> dict[str, str]:
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = _file(state)
    found: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    wanted = {name: secrets.token_urlsafe(48) for name in SECRETS}
    wanted |= {name: secrets.token_urlsafe(9) for name in DEMONSTRATION_SECRETS}
    kept = {"PORT": "8000"} | wanted | found
    if kept != found:
        embedded.write_private(path, json.dumps(kept, indent=1))
    return kept


def _file(state: Path) -> Path:
    return state / "environment.json"
