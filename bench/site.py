"""What the public pages cost inside the web process, with the first demonstration data.

The time of one request through every middleware, without the network. The home page, the generator
and the supporters first, each often; then every page that a stranger may read, a few times each,
a line each.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench import Measurement, _installation, timed

RUNS = 200
RUNS_OF_EACH = 15
PAGES = {"home": "/", "generator": "/repositories/", "supporters": "/supporters/"}
LIMIT_MS = 50.0
LIMIT_OF_EACH_MS = 20.0


def measure() -> Iterator[Measurement]:
    with _installation.django():
        yield from _pages()
        yield from _every_page()


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


def _every_page() -> Iterator[Measurement]:
    """A line each, so that the one that grows is seen."""
    from django.test import Client

    from tests.public_pages import public_pages

    for name, path in public_pages():
        client = Client(headers={"host": "localhost"})
        size = len(client.get(path).content)
        cost = timed(lambda client=client, path=path: client.get(path), runs=RUNS_OF_EACH)  # type: ignore[misc]
        yield Measurement(
            work=f"page {name}",
            size=f"{size} bytes",
            ours=cost,
            reach=f"p50 below {LIMIT_OF_EACH_MS:.0f} ms",
            reached=cost.wall_s * 1000 < LIMIT_OF_EACH_MS,
            runs=RUNS_OF_EACH,
        )
