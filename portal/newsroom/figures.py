"""The figures of a quarter, asked from the domains: only sums, nothing of one payer or server."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.db.models import Case, Count, F, Q, Sum, TextField, Value, When
from django.db.models.functions import Coalesce, Lower
from django.utils import formats
from django.utils.translation import gettext as _

from feedback.charts import board, is_running
from governance.models import Motion
from portal.lib import languages
from portal.lib.money import EXPONENTS
from portal.members.models import Organisation, Term
from portal.news.quarter import Quarter
from portal.news.tables import Cell, Table
from portal.newsroom import decisions
from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry
from releases.models import DownloadCount, Release

DECIDED: Final = (Motion.State.ADOPTED, Motion.State.FAILED, Motion.State.VOID)
PAID: Final = (EntryKind.PAYMENT, EntryKind.CORRECTION)
FEWEST: Final = 3  # people whose donations are added up, at least
Rows = Iterable[tuple[Cell, ...]]


@languages.for_the_record
def compute(quarter: Quarter, *, at: dt.datetime) -> list[Table]:
    """Every table as it is known at `at`; of a quarter that runs, so far."""
    return [make(quarter, at) for make in TABLES]


def _releases(quarter: Quarter, at: dt.datetime) -> Table:
    found = Release.objects.current(at).filter(
        published_at__gte=quarter.start, published_at__lt=quarter.end
    )
    rows = [
        (str(release), str(release.get_maturity_display()), _day(release.published_at))
        for release in found.with_names().order_by("published_at", "pk")
    ]
    columns = (_("Release"), _("Maturity"), _("Published"))
    return _table(_("Releases"), columns, rows, empty=_("No release was published."))


def _supporters(quarter: Quarter, at: dt.datetime) -> Table:
    begun = Term.objects.begun_in(quarter.start, min(quarter.end, at))
    first = Counter(begun.first_ones().values_list("tier__kind__plural", flat=True))
    again = Counter(begun.values_list("tier__kind__plural", flat=True)) - first
    stand = _standing(min(quarter.end - dt.timedelta(microseconds=1), at))
    kinds = sorted({*first, *again, *stand})
    rows = [(kind.capitalize(), first[kind], again[kind], stand[kind]) for kind in kinds]
    columns = (_("Supporters"), _("New"), _("Renewed"), _("At the end"))
    return _table(_("Supporters"), columns, rows, empty=_("There is no supporter yet."))


def _standing(at: dt.datetime) -> Counter[str]:
    """Each organisation once, under the best of its terms."""
    running = Term.objects.active_on(at).filter(organisation__in=Organisation.objects.active_on(at))
    best: dict[int, str] = {}
    for pk, kind in running.best_first().values_list("organisation_id", "tier__kind__plural"):
        best.setdefault(pk, kind)
    return Counter(best.values())


def _income(quarter: Quarter, at: dt.datetime) -> Table:
    """By what it was for and currency; refunds and what banks took back are subtracted, and what a
    bank returned after a dispute went back less, and did not come in again.

    What supporters pay is public with their tier. What a person gives is not: a sum of few is
    left out.
    """
    booked = LedgerEntry.objects.filter(
        occurred_at__gte=quarter.start, occurred_at__lt=quarter.end, occurred_at__lte=at
    )
    summed = (
        booked.order_by()
        .annotate(source=_source())
        .values("source", "currency")
        .annotate(
            came=Sum("amount_minor", filter=Q(kind__in=PAID), default=0),
            went=Sum("amount_minor", filter=~Q(kind__in=PAID), default=0),
            stays=Sum("amount_minor"),
            givers=Count(Lower("order__billing_email"), distinct=True),
        )
        .order_by("source", "currency")
    )
    shown = [row for row in summed if row["source"] != _donations() or row["givers"] >= FEWEST]
    rows = [_income_row(row) for row in shown]
    columns = (_("For"), _("Currency"), _("Came in"), _("Went back"), _("Stays"))
    note = _("Whole units of each currency, rounded, with VAT where it was paid.")
    if len(shown) < len(summed):
        left_out = _("Donations of fewer than %(number)s people in a currency are left out.")
        note += " " + left_out % {"number": FEWEST}
    empty = note if summed else _("No money came in.")
    return _table(_("Income"), columns, rows, empty=empty, note=note)


def _income_row(row: Mapping[str, Any]) -> tuple[Cell, ...]:
    amounts = (_whole(row[name], row["currency"]) for name in ("came", "went", "stays"))
    return (row["source"].capitalize(), row["currency"], *amounts)


def _donations() -> str:
    return _("donations")


def _source() -> Coalesce:
    """What an entry was paid for. A kind of supporters, donations, or something else."""
    given = Q(order__donation__isnull=False) | Q(order__subscription__donation__isnull=False)
    return Coalesce(
        F("order__term__tier__kind__plural"),
        F("order__application__tier__kind__plural"),
        Case(When(given, then=Value(_donations())), default=Value(_("other payments"))),
        output_field=TextField(),
    )


def _whole(minor: int, currency: str) -> int:
    """Rounded half away from zero."""
    unit: int = 10 ** EXPONENTS[currency]
    whole = (2 * abs(minor) + unit) // (2 * unit)
    return whole if minor >= 0 else -whole


def _downloads(quarter: Quarter, at: dt.datetime) -> Table:
    counted = DownloadCount.objects.filter(
        day__gte=quarter.first_day,
        day__lte=quarter.last_day,
        file__release__published_at__lte=at,
    )
    summed = counted.order_by().values_list("file__release__series__product__name")
    rows = summed.annotate(total=Sum("count")).order_by("-total")
    columns = (_("Product"), _("Downloads"))
    return _table(_("Downloads"), columns, rows, empty=_("No download was counted."))


def _servers(quarter: Quarter, at: dt.datetime) -> Table:
    """As published on the statistics page: nothing of small groups, and no running month."""
    shown = board(Q(chart="servers"), months=quarter.months, at=at)
    rows = [
        (formats.date_format(month, "F Y"), shown.show("servers", month).base)
        for month in quarter.months
        if not is_running(month, at) and shown.show("servers", month).base
    ]
    columns = (_("Month"), _("Servers that reported"))
    empty = _("No month of this quarter has enough reports to be shown yet.")
    return _table(_("Usage reports"), columns, rows, empty=empty)


def _motions(quarter: Quarter, at: dt.datetime) -> Table:
    decided = Motion.objects.public().filter(
        state__in=DECIDED, decided_at__gte=quarter.start, decided_at__lt=min(quarter.end, at)
    )
    counts = Counter(decided.values_list("body__name", "state"))
    bodies = sorted({body for body, _state in counts})
    rows: list[tuple[Cell, ...]] = [
        (body, *(counts[body, state] for state in DECIDED)) for body in bodies
    ]
    columns = (_("Body"), _("Carried"), _("Not carried"), _("No quorum"))
    return _table(_("Motions"), columns, rows, empty=_("No motion was decided."))


def _table(
    title: str, columns: tuple[str, ...], rows: Rows, *, empty: str, note: str = ""
) -> Table:
    kept = tuple(rows)
    return Table(title, columns, kept, note if kept else empty)


def _day(moment: dt.datetime | None) -> str:
    return formats.date_format(moment, "j M Y") if moment else ""


TABLES: Final[tuple[Callable[[Quarter, dt.datetime], Table], ...]] = (
    _releases,
    _supporters,
    _income,
    _downloads,
    _servers,
    _motions,
    decisions.resolutions,
    decisions.meetings,
)
