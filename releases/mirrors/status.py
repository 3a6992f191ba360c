"""How the mirrors are: rows for the page, the same for programs, and a drawing of two days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from portal.lib.plot import Strip, Text, strips
from releases.models import Mirror, Probe

HOURS: Final = 48
HOUR: Final = dt.timedelta(hours=1)
WELL: Final = {Mirror.Health.HEALTHY: 1.0, Mirror.Health.LAGGING: 0.5, Mirror.Health.BROKEN: 0.0}
TONES: Final = {
    Mirror.Health.HEALTHY: "good",
    Mirror.Health.LAGGING: "warn",
    Mirror.Health.BROKEN: "bad",
    Mirror.Health.UNKNOWN: "open",
}


@dataclass(frozen=True)
class Row:
    """A mirror as the public sees it."""

    mirror: Mirror
    at: dt.datetime

    @property
    def word(self) -> str | Promise:
        paused = self.mirror.state == Mirror.State.PAUSED
        return self.mirror.get_state_display() if paused else self.mirror.get_health_display()

    @property
    def tone(self) -> str:
        paused = self.mirror.state == Mirror.State.PAUSED
        return "open" if paused else TONES[Mirror.Health(self.mirror.health)]

    @property
    def is_known(self) -> bool:
        """Whether the last probe has learnt how far it is."""
        return self.mirror.health in {Mirror.Health.HEALTHY, Mirror.Health.LAGGING}


def rows(at: dt.datetime) -> list[Row]:
    found = Mirror.objects.listed().prefetch_related("products")
    return sorted((Row(mirror, at) for mirror in found), key=_by_place)


def _by_place(row: Row) -> tuple[str, str, str]:
    mirror = row.mirror
    return str(mirror.continent_name), str(mirror.get_country_display()), mirror.name


def by_continent(found: Iterable[Row]) -> list[tuple[str | Promise, list[Row]]]:
    grouped = groupby(found, key=lambda row: row.mirror.continent_name)
    return [(name, list(members)) for name, members in grouped]


def as_json(found: Iterable[Row], at: dt.datetime) -> dict[str, Any]:
    """The contact of an operator is in no answer."""
    return {"at": at, "mirrors": [_mirror_as_json(row.mirror) for row in found]}


def _mirror_as_json(mirror: Mirror) -> dict[str, Any]:
    return {
        "mirror": mirror.slug,
        "name": mirror.name,
        "operator": mirror.operator,
        "country": mirror.country,
        "continent": mirror.continent,
        "https": mirror.base_url,
        "rsync": mirror.rsync_url,
        "products": [product.slug for product in mirror.products.all()],
        "carries": mirror.parts,
        "weight": mirror.weight,
        "state": mirror.state,
        "health": mirror.health,
        "health_since": mirror.health_since,
        "reason": mirror.reason,
        "publications_behind": mirror.behind,
        "behind_since": mirror.behind_since,
        "probed_at": mirror.probed_at,
    }


def history(found: Iterable[Row], at: dt.datetime) -> str:
    """The worst of each of the last 48 hours, for every mirror."""
    since = at - HOURS * HOUR
    mirrors = [row.mirror for row in found]
    worst: dict[tuple[int, int], float] = {}
    probes = Probe.objects.filter(mirror__in=mirrors, at__gt=since, at__lte=at)
    for number, moment, health in probes.values_list("mirror", "at", "health"):
        if health in WELL:
            hour = number, min(HOURS - 1, int((moment - since) / HOUR))
            worst[hour] = min(worst.get(hour, 1.0), WELL[Mirror.Health(health)])
    drawn = [
        Strip(mirror.name, [worst.get((mirror.pk, hour)) for hour in range(HOURS)])
        for mirror in mirrors
    ]
    words = Text(
        _("Health of the mirrors in the last 48 hours"),
        _("One bar for each hour: tall when healthy, half when lagging, low when broken."),
    )
    return strips(words, drawn, date_format(since, "j M, H:i"), date_format(at, "j M, H:i"))
