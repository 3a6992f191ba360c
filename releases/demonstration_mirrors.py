"""Mirrors of the demonstration, in several states. None is ever probed, and nobody is sent to one:
their names are reserved for examples, no probe is due, and none in use is healthy.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from releases.models import Mirror, Probe

HOUR: Final = dt.timedelta(hours=1)
State, Health = Mirror.State, Mirror.Health


@dataclass(frozen=True, slots=True)
class Planned:
    """A mirror; `past` is its health in each of the last hours, the newest at the end."""

    slug: str
    name: str
    operator: str
    country: str
    state: str
    past: str  # h healthy, l lagging, b broken, . not probed
    weight: int = 1000
    reason: str = ""
    behind: int = 0
    rsync: bool = False


WORDS: Final = {"h": Health.HEALTHY, "l": Health.LAGGING, "b": Health.BROKEN}
LATE: Final = "it has not fetched what was published here"
MIRRORS: Final = (
    Planned(
        *("tallinn", "Tallinn example mirror", "University of Examples", "EE"),
        State.ACTIVE,
        "h" * 41 + "l" * 7,
        reason=LATE,
        behind=2,
        rsync=True,
    ),
    Planned(
        *("osaka", "Osaka example mirror", "Example Internet Exchange", "JP"),
        State.ACTIVE,
        "h" * 20 + "b" * 3 + "h" * 20 + "b" * 5,
        weight=10_000,
        reason="no answer within 10 seconds",
    ),
    Planned(
        *("porto", "Porto example mirror", "Example Hosting", "PT"),
        State.PAUSED,
        "h" * 40 + "." * 8,
        rsync=True,
    ),
    Planned(
        *("curitiba", "Curitiba example mirror", "Example Free Software Lab", "BR"),
        State.PAUSED,
        "h" * 12 + "l" * 4 + "h" * 30 + "..",
        weight=400,
    ),
    Planned(
        *("nairobi", "Nairobi example mirror", "Example Research Network", "KE"),
        State.PROPOSED,
        "",
        weight=2000,
    ),
    Planned(*("toronto", "Toronto example mirror", "Example Co-op", "CA"), State.RETIRED, ""),
)


def load(*, at: dt.datetime) -> None:
    """Each mirror once, with the probes of two days."""
    for planned in MIRRORS:
        if not Mirror.objects.filter(slug=planned.slug).exists():
            mirror = _mirror(planned, at)
            Probe.objects.bulk_create(_probes(mirror, planned, at))


def _mirror(planned: Planned, at: dt.datetime) -> Mirror:
    probes = list(_probes(Mirror(), planned, at))
    newest = probes[-1] if probes else None
    lagging = newest is not None and newest.health == Health.LAGGING
    return Mirror.objects.create(
        slug=planned.slug,
        name=planned.name,
        operator=planned.operator,
        contact_email=f"mirror@{planned.slug}.example",
        confirmed_at=at,
        country=planned.country,
        base_url=f"https://mirror.{planned.slug}.example/exampledb/",
        rsync_url=f"rsync://mirror.{planned.slug}.example/exampledb/" if planned.rsync else "",
        weight=planned.weight,
        state=planned.state,
        active_since=at - 90 * 24 * HOUR if newest else None,
        health=newest.health if newest else Health.UNKNOWN,
        health_since=_since(probes),
        reason=planned.reason,
        behind=planned.behind,
        behind_since=at - 14 * HOUR if lagging else None,
        probed_at=newest.at if newest else None,
        next_probe_at=None,
    )


def _since(probes: list[Probe]) -> dt.datetime | None:
    """When the health began that the newest probe found."""
    since = None
    for probe in reversed(probes):
        if probe.health != probes[-1].health:
            break
        since = probe.at
    return since


def _probes(mirror: Mirror, planned: Planned, at: dt.datetime) -> Iterator[Probe]:
    for hour, letter in enumerate(planned.past):
        if letter in WORDS:
            moment = at - (len(planned.past) - hour) * HOUR + HOUR / 2
            health = WORDS[letter]
            reason = "" if health == Health.HEALTHY else planned.reason
            behind = planned.behind if health == Health.LAGGING else 0
            yield Probe(mirror=mirror, at=moment, health=health, reason=reason, behind=behind)
