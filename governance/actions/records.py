"""Writing down what was decided, once and for ever; what came of it later is another edition."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain as joined
from itertools import islice
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from governance import clock
from governance.bundle import chain
from governance.models import Motion, Record, RecordMark
from governance.sections import SECTIONS, Documents
from governance.sections.asked import Asked
from portal.lib import audit
from portal.lib.models import AuditEntry

SETTLED: Final = timedelta(hours=1)  # by then whoever wrote into the audit log has committed
AT_ONCE: Final = 200


@transaction.atomic
def write_records(*, at: datetime | None = None, whole: bool = False) -> int:
    """A record for everything that was decided and has none, or reads otherwise than its last one;
    how many. One at a time does it, so numbers have no gap.

    Looks at what has no record, and at motions that the audit log names since the last time;
    with `whole` at everything that was ever decided.
    """
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE governance_record IN SHARE ROW EXCLUSIVE MODE")
    moment = clock.now(at)
    mark = RecordMark.objects.first()
    asked = Asked(moment, whole=whole or mark is None, motions=_touched(mark))
    found = joined.from_iterable(section(asked) for section in SECTIONS)
    written = sum(_keep(batch, moment) for batch in _batches(found))
    _move(mark)
    if written:
        newest = Record.objects.newest()
        assert newest is not None  # noqa: S101 - one was just written
        audit.record(
            actor=None, verb="records.written", subject=newest, count=written, head=newest.head
        )
    return written


def _touched(mark: RecordMark | None) -> frozenset[int]:
    """The motions that something was done to since; without a mark all are looked at anyhow."""
    if mark is None:
        return frozenset()
    entries = AuditEntry.objects.filter(id__gt=mark.audit, subject_kind=Motion._meta.label_lower)
    named = entries.order_by().values_list("subject_id", flat=True).distinct()
    return frozenset(int(key) for key in named)


def _move(mark: RecordMark | None) -> None:
    """To the newest entry before which no other can appear any more."""
    settled = AuditEntry.objects.filter(at__lte=timezone.now() - SETTLED).order_by("-id")
    last = settled.values_list("id", flat=True).first() or 0
    if mark is None:
        RecordMark.objects.create(audit=last)
    elif mark.audit < last:
        RecordMark.objects.update(audit=last)


def _batches(documents: Documents) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    while batch := list(islice(documents, AT_ONCE)):
        yield batch


def _keep(documents: list[tuple[str, dict[str, Any]]], at: datetime) -> int:
    """Those that are new or read otherwise, after the last record there is; how many."""
    names = [name for name, _document in documents]
    last_editions = Record.objects.filter(name__in=names).last_editions()
    known = {record.name: record for record in last_editions}
    newest = Record.objects.newest()
    number, head = (newest.number, newest.head) if newest else (0, "")
    new = []
    for name, document in documents:
        body = chain.canonical(document)
        sha256, last = chain.digest(body), known.get(name)
        if last is not None and last.sha256 == sha256:
            continue
        number, head = number + 1, chain.follow(head, sha256)
        new.append(
            Record(
                number=number,
                name=name,
                edition=last.edition + 1 if last else 1,
                body=body.decode(),
                sha256=sha256,
                head=head,
                written_at=at,
            )
        )
    return len(Record.objects.bulk_create(new))
