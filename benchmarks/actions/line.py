"""Lines over versions: asking for their change points, finding these, and marking one by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from django.db import transaction

from benchmarks.models import ChangeMark, Line
from benchmarks.models.queue import claim
from benchmarks.statistics.changes import change_points
from portal.accounts.models import User
from portal.lib import audit


def known_lines(values: Iterable[Sequence[float]]) -> Mapping[str, Line]:
    """The rows of these lines by their digest, as far as somebody has asked for them before."""
    digests = [Line.digest_of(one) for one in values]
    return {one.digest: one for one in Line.objects.filter(digest__in=digests)}


def ask_line(values: Sequence[float]) -> Line:
    """The row of this line; it waits for the worker. Nobody acts: no audit row."""
    found, _created = Line.objects.get_or_create(
        digest=Line.digest_of(values), defaults={"values": list(values)}
    )
    return found


def forget_lines(*, at: datetime) -> int:
    """Drop old lines with their changes; nothing of the foundation changes: no audit row."""
    return Line.objects.to_forget(at).delete()[0]


def compute_line(*, line_id: int, at: datetime) -> bool:
    """Find the changes of a line once; False when that is done, or not to be tried now."""
    rows = Line.objects.filter(pk=line_id)
    if not claim(rows, at=at):
        return False
    changes = [asdict(one) for one in change_points(rows.get().values)]
    return bool(rows.update(changes=changes, computed_at=at))


@transaction.atomic
def mark_change(
    *,
    actor: User,
    connector: str,
    series: str,
    version: str,
    finding: ChangeMark.Finding,
    reason: str,
    at: datetime,
) -> ChangeMark:
    """Say what a change is; said again, the later word counts and the log keeps both."""
    mark, _created = ChangeMark.objects.update_or_create(
        connector=connector,
        series=series,
        version=version,
        defaults={
            "finding": finding,
            "reason": reason,
            "marked_by": actor,
            "marked_at": at,
        },
    )
    audit.record(
        actor=actor,
        verb="benchmark_change.mark",
        subject=mark,
        series=series,
        finding=finding,
        reason=reason,
    )
    return mark
