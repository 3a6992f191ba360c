"""What pages ask of the catalogue: rows of the overview, the roadmap, the newest releases."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef
from django.utils import formats
from django.utils.translation import gettext as _

from portal.lib import plot
from releases.models import Membership, Package, Product, Release, Repository, Series

SUPPORTED = "supported"


@dataclass(frozen=True)
class Row:
    """A series with its latest release; a withdrawn one only where all of them are."""

    series: Series
    latest: Release
    is_ended: bool
    is_recommended: bool
    is_yanked: bool = False

    @property
    def is_offered(self) -> bool:
        """Whether the generator has something for it."""
        return bool(getattr(self.latest, "is_live", False))


def latest_releases(*, at: dt.datetime, limit: int = 5) -> list[Release]:
    """The newest releases of all products, for the home page."""
    found = Release.objects.current(at).with_names().order_by("-published_at", "-ordering")
    return list(found[:limit])


def installable(release: Release) -> str:
    """Where package managers find this release: in the repository of its "series", in that of its
    "version" alone, "waiting" for either, or nowhere, because it has no packages: "".
    """
    packages = Package.objects.filter(file__release=release)
    serial = F("repository__current__serial")
    shown = Membership.objects.filter(package__in=packages, since_serial__lte=serial)
    places = shown.exclude(until_serial__lte=serial).values_list("repository__release", flat=True)
    found = set(places.distinct())
    if not found:  # not there yet, or taken out of each
        held = Membership.objects.filter(package__in=packages, until_serial=None)
        return "waiting" if held.exists() else ""
    return "series" if None in found else "version"


def rows(*, at: dt.datetime, product: Product | None = None) -> list[Row]:
    """Every series that has something published, newest first within its product."""
    live = Repository.objects.live().filter(series=OuterRef("series"))
    latest = Release.objects.shown_at(at).with_names().annotate(is_live=Exists(live))
    latest = latest.defer("notes", "changelog")
    if product is not None:
        latest = latest.filter(series__product=product)
    releases = sorted(
        latest,
        key=lambda found: (
            found.series.product.position,
            found.series.product.name,
            [-number for number in found.series.ordering],
        ),
    )
    best = recommended(releases, at=at)
    return [
        Row(
            found.series,
            found,
            found.series.is_ended(at.date()),
            best.get(found.series.product_id) == found,
            found.is_yanked(at),
        )
        for found in releases
    ]


def recommended(latest: Iterable[Release], *, at: dt.datetime) -> dict[int, Release]:
    """By product: the newest stable release of a supported series, long term before short."""
    best: dict[int, Release] = {}
    for found in latest:
        series = found.series
        if not found.is_stable or found.is_yanked(at) or series.is_ended(at.date()):
            continue
        known = best.get(series.product_id)
        if known is None or _preference(found) > _preference(known):
            best[series.product_id] = found
    return best


def _preference(release: Release) -> tuple[bool, list[int]]:
    return release.series.support == Series.Support.LONG, release.ordering


def roadmap_rows(shown: Iterable[Row], *, at: dt.datetime) -> list[plot.Series]:
    """When each series is supported, for the drawing; series without an end are left out."""
    return [row for found in shown if (row := _roadmap_row(found, at.date())) is not None]


def _roadmap_row(row: Row, today: dt.date) -> plot.Series | None:
    series = row.series
    if series.eol_on is None:
        return None
    published = row.latest.published_at
    start = series.released_on or (published.date() if published else today)
    end_label = formats.date_format(series.eol_on, "M Y")
    spans: list[plot.Span]
    if row.is_ended:
        spans = [plot.Span(start, series.eol_on, "ended")]
    elif row.latest.is_stable:
        spans = [plot.Span(start, series.eol_on, SUPPORTED)]
    elif start > today and published is not None:
        spans = [
            plot.Span(published.date(), start, "candidate"),
            plot.Span(start, series.eol_on, "planned"),
        ]
        end_label = _("%(date)s, planned") % {"date": end_label}
    else:
        spans = [plot.Span(start, series.eol_on, "candidate")]
    label = series.get_support_display()
    return plot.Series(series.name, spans, str(label), end_label)


def roadmap(shown: list[Row], *, at: dt.datetime) -> str:
    """The drawing of the support periods, as SVG; empty when there is nothing to draw."""
    drawn = roadmap_rows(shown, at=at)
    last = max(
        (row for row in shown if row.series.eol_on and not row.is_ended),
        key=lambda row: row.series.eol_on or at.date(),
        default=None,
    )
    description = _("Bars from the first release to the end of support.")
    if last is not None and last.series.eol_on is not None:
        description += " " + _("%(series)s is supported longest, until %(date)s.") % {
            "series": last.series.name,
            "date": formats.date_format(last.series.eol_on, "F Y"),
        }
    return plot.roadmap(plot.Text(_("Support periods by series"), description), drawn, at.date())
