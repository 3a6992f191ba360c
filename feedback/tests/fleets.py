"""Reports of made-up servers, put into the inbox as the receiver does."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django.conf import settings

from feedback import inbox
from feedback.actions.drain import drain_inbox
from feedback.actions.intake import receive_reports
from feedback.actions.rollup import roll_up_stale
from feedback.tests.clients import PEPPER, lines, multipart
from releases.actions.product import add_product, add_series

NOON = dt.datetime(2026, 11, 18, 12, tzinfo=dt.UTC)  # a Wednesday
DEBIAN = {
    "VERSION": "10.11.19-MariaDB-0+deb12u1",
    "UNAME_MACHINE": "x86_64",
    "UNAME_SYSNAME": "Linux",
    "UNAME_DISTRIBUTION": "os-release: Debian GNU/Linux 12 (bookworm)",
    "HAVE_SSL": "YES",
    "INNODB USED": "3",
}


def row(
    uid: str,
    values: Mapping[str, str] = DEBIAN,
    *,
    at: dt.datetime = NOON,
    code: str | None = None,
) -> inbox.Row:
    """The inbox row of one report of the server `uid`."""
    return inbox.row(
        multipart(lines(values, uid)), pepper=PEPPER, received_at=at, deletion_code=code
    )


def fleet(
    servers: int,
    values: Mapping[str, str] = DEBIAN,
    *,
    name: str = "fleet",
    at: dt.datetime = NOON,
) -> list[inbox.Row]:
    """One full report of each of so many servers."""
    return [row(f"{name}-{n}", values, at=at) for n in range(servers)]


def arrive(*rows: inbox.Row, at: dt.datetime = NOON) -> None:
    """Receive, read and count."""
    receive_reports(rows=rows)
    while drain_inbox():
        pass
    roll_up_stale(at=at)


def add_ended_series(name: str = "10.11") -> None:
    """A series of the main product that is past its end of support."""
    product = add_product(
        actor=None,
        slug=settings.DEFAULT_PRODUCT,
        name="ExampleDB",
        description="A database.",
        license="GPL-2.0-only",
        package="exampledb-server",
    )
    add_series(
        actor=None,
        product=product,
        name=name,
        support="long",
        released_on=dt.date(2020, 1, 1),
        eol_on=dt.date(2026, 1, 1),
    )
