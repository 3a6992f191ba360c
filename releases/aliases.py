"""By which rules the aliases of a product are set."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from releases.maturity import Maturity
from releases.models import Product, Release, Series

STABLE = {Maturity.STABLE, Maturity.OLD_STABLE}
CANDIDATE = STABLE | {Maturity.RC}


def wanted(product: Product, *, at: dt.datetime) -> Mapping[str, Series]:
    """Where each alias belongs at `at`; a name for which nothing fits is left out.

    latest         the newest series that is supported and has a stable release
    latest-lts     the same among those with long-term support
    <N>.rolling    the newest series of major version N that has a stable release
    <N>.rc         the newest of N that has a release candidate or a stable release
    """
    releases = list(
        Release.objects.current(at)
        .filter(series__product=product, series__repositories__current__isnull=False)
        .select_related("series__product")
        .distinct()
    )
    stable = [found.series for found in releases if found.maturity in STABLE]
    candidates = [found.series for found in releases if found.maturity in CANDIDATE]
    supported = [series for series in stable if not series.is_ended(at.date())]
    found = {
        "latest": _newest(supported),
        "latest-lts": _newest(one for one in supported if one.support == Series.Support.LONG),
    }
    for major in {series.ordering[0] for series in candidates}:
        found[f"{major}.rolling"] = _newest(one for one in stable if one.ordering[0] == major)
        found[f"{major}.rc"] = _newest(one for one in candidates if one.ordering[0] == major)
    return {name: series for name, series in found.items() if series is not None}


def _newest(series: Iterable[Series]) -> Series | None:
    return max(series, key=lambda one: one.ordering, default=None)
