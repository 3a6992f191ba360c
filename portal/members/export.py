"""Everything that the portal keeps of an organisation, as one ZIP file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils.text import slugify

from portal.lib import links, spreadsheet
from portal.lib.models import AuditEntry, OutboxMail
from portal.lib.money import EXPONENTS
from portal.members.belongings import all_parts
from portal.members.correspondence import letters_of
from portal.members.models import Organisation
from portal.members.papers import orders_of
from portal.members.records import as_json, table
from portal.payments.models import LedgerEntry

PACKED = (".pdf", ".png")  # packing them again saves nothing
SMALL_PAPERS, SMALL_LETTERS = 10, 500
Part = Callable[[ZipFile], None]
Step = Callable[[int, int], None]
LEDGER = ("date", "kind", "amount", "currency", "for", "receipt", "provider", "reference")


def write(organisation: Organisation, target: IO[bytes], *, at: datetime, step: Step) -> None:
    """JSON of every row, the ledger as CSV, every paper, picture and letter; and what is where.

    `step` hears how many of how many parts are done.
    """
    parts = list(_parts(organisation, at))
    letters = letters_of(organisation).defer("html")
    steps = len(parts) + letters.count()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for done, add in enumerate(parts):
            step(done, steps)
            add(archive)
        for done, letter in enumerate(letters.iterator(chunk_size=500), start=len(parts)):
            step(min(done, steps), steps)
            _add(archive, letter_path(letter), iter([letter_text(letter)]))
    step(steps, steps)


def is_small(organisation: Organisation) -> bool:
    """It takes about a second: nobody need wait for the worker."""
    papers = len(orders_of(organisation))
    return papers <= SMALL_PAPERS and letters_of(organisation).count() <= SMALL_LETTERS


def _parts(organisation: Organisation, at: datetime) -> Iterator[Part]:
    """Everything but the letters, of which there may be many."""
    tables = {table(rows): rows for rows in records_of(organisation)}
    for name, rows in tables.items():
        yield partial(_add, path=f"data/{name}.json", pieces=as_json(rows))
    yield partial(_add, path="data/lib.auditentry.json", pieces=as_json(trail(tables)))
    yield partial(_add, path="ledger.csv", pieces=spreadsheet.lines(ledger(organisation)))
    for part in all_parts():
        for path, content in part.files(organisation):
            yield partial(_add_file, path=path, content=content)
    context = {"organisation": organisation, "at": at, "tables": sorted(tables)}
    readme = render_to_string("members/export_readme.txt", context)
    yield partial(_add, path="README.txt", pieces=iter([readme]))


def records_of(organisation: Organisation) -> Iterator[QuerySet[Any]]:
    """Every row that belongs to it, a QuerySet for each model."""
    for part in all_parts():
        yield from part.records(organisation)


def trail(tables: dict[str, QuerySet[Any]]) -> QuerySet[AuditEntry]:
    """What the log says about any of these rows."""
    about = Q()
    for name, rows in tables.items():
        keys = [str(pk) for pk in rows.values_list("pk", flat=True)]
        about |= Q(subject_kind=name, subject_id__in=keys)
    return AuditEntry.objects.filter(about)


def ledger(organisation: Organisation) -> Iterator[tuple[object, ...]]:
    yield LEDGER
    entries = LedgerEntry.objects.filter(order__in=orders_of(organisation))
    for entry in entries.select_related("order").order_by("occurred_at", "pk"):
        yield (
            entry.occurred_at.date().isoformat(),
            entry.kind,
            Decimal(entry.amount_minor).scaleb(-EXPONENTS[entry.currency]),
            entry.currency,
            entry.order.description,
            entry.order.receipt_number,
            entry.provider,
            entry.provider_ref,
        )


def letter_path(letter: OutboxMail) -> str:
    return f"letters/{letter.created_at:%Y-%m-%d}-{letter.pk}-{slugify(letter.subject)[:60]}.txt"


def letter_text(letter: OutboxMail) -> str:
    """As it was written; signed links open without a login and are left out."""
    text = links.without_tokens(letter.text, instead="[…]")
    return f"To: {letter.recipient}\nSubject: {letter.subject}\n\n{text}"


def _add(archive: ZipFile, path: str, pieces: Iterator[str]) -> None:
    with archive.open(path, "w") as file:
        for piece in pieces:
            file.write(piece.encode())


def _add_file(archive: ZipFile, path: str, content: Callable[[], bytes]) -> None:
    way = ZIP_STORED if path.endswith(PACKED) else ZIP_DEFLATED
    archive.writestr(path, content(), compress_type=way)
