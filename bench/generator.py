"""The configuration generator inside the web process: page, text, JSON, and what has not changed.

Each is asked again while nothing has changed, asked by who has it already, and written anew, as
after every change of the catalogue. One series is published for every system, with both processors;
the time is one request through every middleware, without the network.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench import Measurement, _installation, timed

RUNS = 200
REACH_MS, REACH_QUERIES = 10.0, 3
SERIES = "12.1"
ADDRESS = f"/repositories/?product=exampledb&series={SERIES}"
ASKED = {
    "page for apt": f"{ADDRESS}&distribution=debian-12",
    "page for dnf": f"{ADDRESS}&distribution=rhel-9",
    "page of what is missing": f"{ADDRESS}&distribution=debian-11",
    "file as text": f"{ADDRESS}&distribution=debian-12&format=sources",
    "everything as JSON": f"{ADDRESS}&distribution=debian-12&as=json",
    "set-up script": "/repo_setup",
}


def measure() -> Iterator[Measurement]:
    with _installation.django() as found:
        _publish(found.folder)
        yield from _answers()


def _publish(folder: Path) -> None:
    """The demonstration, one more series, and every step of the worker, with the signer's twin."""
    from django.core.management import call_command

    from portal.accounts import demonstration as people
    from releases import demonstration, tasks
    from releases.demonstration_plan import SERIES as PLANNED
    from releases.models import Publication
    from releases.signer.local import LocalSigner

    call_command("prepare")
    planned = next(one for one in PLANNED if one.name == SERIES)
    demonstration.load_series(planned, people.person(people.FRANK).joined_at)
    signer = LocalSigner(folder / "signer")
    tasks.signer = lambda: signer
    while Publication.objects.unfinished().exists():
        tasks.sweep()
    tasks.renew_setup_script()


def _answers() -> Iterator[Measurement]:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(headers={"host": "localhost"})
    for name, path in ASKED.items():
        with CaptureQueriesContext(connection) as asked:
            answer = client.get(path)
        queries = len(asked)  # the next request empties what was captured
        if answer.status_code != (404 if "missing" in name else 200):
            raise RuntimeError(f"{path} answers {answer.status_code}")
        known = {"if-none-match": answer["ETag"]}
        yield _measured(name, client, path, len(answer.content), queries)
        if answer.status_code == 200:
            with CaptureQueriesContext(connection) as asked:
                again = client.get(path, headers=known)
            queries = len(asked)
            if again.status_code != 304:
                raise RuntimeError(f"{path} answers {again.status_code} to who has it already")
            yield _measured(f"{name}, unchanged", client, path, 0, queries, known)
            yield _anew(name, client, path, len(answer.content))


def _anew(name: str, client: object, path: str, size: int) -> Measurement:
    """Everything is read and written again each time."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from portal.lib import kept
    from releases.choices import targets

    class Anew:
        def get(self, path: str, headers: None) -> object:
            kept.SHELF.clear()
            targets.forget()
            return client.get(path, headers=headers)  # type: ignore[attr-defined]

    with CaptureQueriesContext(connection) as asked:
        Anew().get(path, None)
    return _measured(f"{name}, written anew", Anew(), path, size, len(asked))


def _measured(
    name: str,
    client: object,
    path: str,
    size: int,
    queries: int,
    headers: dict[str, str] | None = None,
) -> Measurement:
    cost = timed(lambda: client.get(path, headers=headers), runs=RUNS)  # type: ignore[attr-defined]
    return Measurement(
        work=name,
        size=f"{size} bytes, {queries} queries",
        ours=cost,
        reach=f"p50 below {REACH_MS:.0f} ms in at most {REACH_QUERIES} queries",
        reached=cost.wall_s * 1000 < REACH_MS and queries <= REACH_QUERIES,
        runs=RUNS,
    )
