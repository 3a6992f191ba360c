"""The daily comparison of the ledger with the provider: a stored report, a letter if it differs."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from portal.books import letters
from portal.books.comparison import Booked, Found, compare
from portal.books.models import Difference, Reconciliation
from portal.payments.actions.alias import names_of
from portal.payments.models import LedgerEntry
from portal.payments.providers import Movement, ProviderError, provider

LOOKBACK = timedelta(days=35)  # every movement is compared on many days
EARLIER = timedelta(days=20)  # a bank payment is begun so long before its money comes
PATIENCE = timedelta(minutes=30)  # what is younger may still be on its way to us


def reconcile(
    *, at: datetime, since: datetime | None = None, until: datetime | None = None
) -> Reconciliation:
    """Ask the provider, compare, keep the report. What could not be asked is kept as well.

    Letters are written only about what is older than `PATIENCE`.
    """
    source = provider()
    report = Reconciliation(
        provider=source.name,
        since=since or at - LOOKBACK,
        until=until or at - PATIENCE,
        created_at=at,
    )
    try:
        movements = list(source.movements(report.since - EARLIER))
    except ProviderError as error:
        report.error = str(error)[:300] or type(error).__name__
        report.save()
        return report
    return _kept(report, movements)


@transaction.atomic
def _kept(report: Reconciliation, movements: list[Movement]) -> Reconciliation:
    booked = list(_booked(report))
    inside = [row for row in movements if report.since <= row.at < report.until]
    report.movement_count = len(inside)
    report.entry_count = sum(report.since <= entry.at < report.until for entry in booked)
    report.save()
    found = compare(
        movements,
        booked,
        since=report.since,
        until=report.until,
        names=lambda movement: names_of(report.provider, movement.names),
    )
    differences = [_difference(report, one) for one in found]
    Difference.objects.bulk_create(differences)
    if any(one.at < report.created_at - PATIENCE for one in differences):
        letters.differs(report)
    return report


def _booked(report: Reconciliation) -> Iterable[Booked]:
    rows = LedgerEntry.objects.filter(
        provider=report.provider, occurred_at__gte=report.since - EARLIER
    )
    for entry in rows.order_by("pk").iterator():
        yield Booked(
            kind=entry.kind,
            ref=entry.provider_ref,
            minor=entry.amount_minor,
            currency=entry.currency,
            at=entry.occurred_at,
            order=entry.order_id,
        )


def _difference(report: Reconciliation, found: Found) -> Difference:
    theirs, ours = found.movement, found.booked
    return Difference(
        reconciliation=report,
        fault=found.fault,
        kind=found.about.kind,
        ref=found.about.ref,
        at=found.about.at,
        theirs_minor=theirs.minor if theirs else None,
        theirs_currency=theirs.currency[:3] if theirs else "",
        ours_minor=ours.minor if ours else None,
        ours_currency=ours.currency if ours else "",
        description=theirs.description[:200] if theirs else "",
        order_id=ours.order if ours else None,
    )
