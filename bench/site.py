"""How fast the first pages are, with the first demonstration data, inside the web process.

The time of one request through every middleware, without the network: what a page costs us.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench import Measurement, _installation, timed

RUNS = 200
PAGES = {"home": "/", "generator": "/repositories/", "supporters": "/supporters/"}
LIMIT_MS = 50.0


def measure() -> Iterator[Measurement]:
    with _installation.django():
        yield from _pages()


def _pages() -> Iterator[Measurement]:
    from django.core.management import call_command
    from django.test import Client

    call_command("prepare")
    client = Client(headers={"host": "localhost"})
    for name, path in PAGES.items():
        if (answer := client.get(path)).status_code != 200:
            raise RuntimeError(f"{path} answers {answer.status_code}")
        cost = timed(lambda path=path: client.get(path), runs=RUNS)  # type: ignore[misc]
        yield Measurement(
            work=f"{name} page",
            size=f"{len(answer.content)} bytes",
            ours=cost,
            reach=f"p50 below {LIMIT_MS:.0f} ms",
            reached=cost.wall_s * 1000 < LIMIT_MS,
            runs=RUNS,
        )
