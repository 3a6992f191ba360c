"""A year of reports of a made-up fleet, taken in, read and counted as real ones are."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from django.conf import settings

from feedback import inbox
from feedback.actions.claim import claim_server, make_claim_code, name_server
from feedback.actions.drain import drain_inbox
from feedback.actions.intake import receive_reports
from feedback.actions.retention import forget_old
from feedback.actions.rollup import roll_up_stale
from feedback.fleet import SEED, WEEKS, fleet, reports, strays
from feedback.models import ClaimCode, ServerWeek
from feedback.server_weeks import week_of
from portal.accounts.demonstration import ALICE, person
from portal.accounts.models import User

SIZE: Final = 480
CLAIMED: Final = 6
STEP: Final = 4  # weeks between two lines of progress


def load(*, actor: User, at: dt.datetime) -> None:
    """The last two weeks of the fleet: enough for the first look at the statistics."""
    _send(_weeks(at), range(WEEKS - 2, WEEKS))
    _claim(at)
    roll_up_stale(at=at)


def load_more(*, actor: User, at: dt.datetime) -> Iterator[str]:
    """The weeks before, newest first, so that charts grow backwards with each count of the worker;
    of their reports themselves only what a portal of this age still has.
    """
    weeks = _weeks(at)
    total = 0
    for end in range(WEEKS - 2, 0, -STEP):
        total += _send(weeks, range(max(0, end - STEP), end))
        done = WEEKS - max(0, end - STEP)
        yield f"feedback: {done} of {WEEKS} weeks, {total} reports"
    roll_up_stale(at=at)  # once: what is older has every later month counted again
    forget_old(at=at)


def _claim(at: dt.datetime) -> None:
    """Alice has put some servers of the fleet on her list."""
    owner = person(ALICE)
    if ClaimCode.objects.filter(user=owner).exists():
        return
    code = make_claim_code(actor=owner, at=at)
    keys = (
        ServerWeek.objects.described().order_by("server_key").values_list("server_key", flat=True)
    )
    for number, key in enumerate(keys.distinct()[:CLAIMED], 1):
        server = claim_server(digest=bytes(code.digest), server_key=bytes(key), at=at)
        if server is not None:
            name_server(actor=owner, server=server, name=f"db{number}.example.net")


@dataclass(frozen=True, slots=True)
class _Posted:
    """A body and when it arrives."""

    at: dt.datetime
    body: bytes

    def row(self) -> inbox.Row:
        pepper = str(settings.FEEDBACK_PEPPER).encode()
        return inbox.row(self.body, pepper=pepper, received_at=self.at)


def _weeks(at: dt.datetime) -> list[list[_Posted]]:
    """What arrives in each week up to `at`; the same for the same seed."""
    random = Random(SEED)  # noqa: S311 - made-up servers
    servers = fleet(SIZE)
    start = at - dt.timedelta(weeks=WEEKS)
    weeks = []
    for week in range(WEEKS):
        bodies = [*reports(servers, week, random), *((3, body) for body in strays(week, random))]
        weeks.append(
            [
                _Posted(start + dt.timedelta(weeks=week, days=day, seconds=number), body)
                for number, (day, body) in enumerate(bodies)
            ]
        )
    return weeks


def _send(weeks: list[list[_Posted]], which: range) -> int:
    """Send what of these weeks did not arrive before; how many reports that were."""
    sent = 0
    for week in which:
        rows = [posted.row() for posted in weeks[week]]
        places = {(row.server_key, week_of(row.received_at)) for row in rows}
        starts = {start for _, start in places}
        known = ServerWeek.objects.filter(week__in=starts).values_list("server_key", "week")
        if places.isdisjoint((bytes(key), start) for key, start in known):
            sent += receive_reports(rows=rows)
            while drain_inbox():
                pass
    return sent
