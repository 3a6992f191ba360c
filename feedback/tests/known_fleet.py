"""A fleet of which everything is known: what arrives of it, in any order, and what is true.

The truth is counted here by hand, from what the machines are, not by the code under test.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final

from feedback import inbox
from feedback.tests.fleets import row

START: Final = dt.datetime(2026, 10, 1, tzinfo=dt.UTC)
MONTH: Final = dt.date(2026, 11, 1)
DAYS: Final = 60  # October and November: two months that share a week
ESTABLISHED: Final = dt.timedelta(days=6)

# What a machine says of itself, and what that is.
VERSIONS: Final = {
    "10.6.20-MariaDB-log": ("10.6", "10.6.20"),
    "10.11.9-MariaDB": ("10.11", "10.11.9"),
    "10.11.19-MariaDB-0+deb12u1": ("10.11", "10.11.19"),
    "5.5.5-10.11.19-MariaDB": ("10.11", "10.11.19"),
    "11.4.2-MariaDB": ("11.4", "11.4.2"),
    "11.8.3-MariaDB-ubu2404": ("11.8", "11.8.3"),
    "99.9.1-MariaDB": ("other", "other"),  # forged
    "<script>alert(1)</script>": ("other", "other"),
    "=cmd|' /C calc'!A0": ("other", "other"),
}
MACHINES: Final = {
    "x86_64": "x86_64",
    "AMD64": "x86_64",
    "aarch64": "aarch64",
    "arm64": "aarch64",
    "abacus": "other",
}
USED: Final = {"FEATURE_JSON": "JSON functions", "FEATURE_GIS": "spatial data"}


@dataclass(slots=True)
class Machine:
    """One machine; several may have one identity."""

    uid: str
    version: str
    machine: str
    used: frozenset[str]


@dataclass(frozen=True, slots=True)
class Event:
    """A report: full, or of a moment."""

    at: dt.datetime
    uid: str
    values: Mapping[str, str]
    is_full: bool

    @property
    def content(self) -> object:
        """Two with the same content in a week of a month are one: a startup tells no more."""
        week = self.at.isocalendar()[:2]
        return self.uid, week, self.at.month, tuple(self.values.items())


@dataclass(slots=True)
class Truth:
    """What must be counted in the month."""

    counts: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)
    reports: int = 0  # that differ in their content
    repeated: int = 0
    refused: Counter[str] = field(default_factory=Counter)


def machines(random: Random, size: int) -> list[Machine]:
    """Every tenth has the identity of another one."""
    found: list[Machine] = []
    for number in range(size):
        shared = found and random.random() < 0.1
        found.append(
            Machine(
                uid=random.choice(found).uid if shared else f"known-{number}",
                version=random.choice(list(VERSIONS)),
                machine=random.choice(list(MACHINES)),
                used=frozenset(key for key in USED if random.random() < 0.5),
            )
        )
    return found


def life(random: Random, machine: Machine) -> Iterator[Event]:
    """The reports of a machine: on some days, upgraded and restarted in between."""
    for day in sorted(random.sample(range(DAYS), random.randint(1, 8))):
        at = START + dt.timedelta(days=day, seconds=random.random() * 86_000)
        if random.random() < 0.3:
            machine.version = random.choice(list(VERSIONS))
        if random.random() < 0.4:
            when = {"FEEDBACK_WHEN": random.choice(["startup", "shutdown"])}
            yield Event(at - dt.timedelta(seconds=9), machine.uid, when, is_full=False)
        if random.random() < 0.9:
            yield Event(at, machine.uid, _full(random, machine), is_full=True)


def _full(random: Random, machine: Machine) -> dict[str, str]:
    used = {key: str(int(key in machine.used)) for key in USED}
    told = {"VERSION": machine.version, "UNAME_MACHINE": machine.machine}
    return told | used | {"QUESTIONS": str(random.randrange(10**9))}


def arrivals(random: Random, events: list[Event], truth: Truth) -> list[inbox.Row]:
    """What comes of the events: in any order, some of it again, strangers in between."""
    rows = []
    for event in events:
        rows += [row(event.uid, event.values, at=event.at)] * random.choice([1, 1, 1, 2, 3])
    truth.reports = len({event.content for event in events})
    truth.repeated = len(rows) - truth.reports
    noise: dict[str, tuple[str, Mapping[str, str]]] = {
        "test": ("tester", {"VERSION": "12.1.1", "FEEDBACK_USER_INFO": "mysql-test"}),
        "maxscale": ("f" * 40, {"PRODUCT": "maxscale", "VERSION": "24.02"}),
        "no_identity": ("unknown", {"VERSION": "10.11.19-MariaDB"}),
        "unreadable": ("nonsense", {"MESSAGE": "nothing to be read"}),
    }
    for outcome, (uid, values) in noise.items():
        truth.refused[outcome] = random.randint(3, 20)
        for _ in range(truth.refused[outcome]):
            at = START + dt.timedelta(seconds=random.random() * DAYS * 86_000)
            rows.append(row(uid, values, at=at))
    random.shuffle(rows)
    return rows


def truth_of(events: list[Event]) -> Truth:
    """What each server is in the month: what its last full report of the month says."""
    truth = Truth({name: Counter() for name in ("servers", "version", "architecture", "feature")})
    by_uid: dict[str, list[Event]] = {}
    for event in sorted(events, key=lambda event: event.at):
        by_uid.setdefault(event.uid, []).append(event)
    for told in by_uid.values():
        full = [e for e in told if e.is_full and e.at.date().replace(day=1) == MONTH]
        if not full:
            continue
        last = full[-1].values
        is_doubted = any(VERSIONS[e.values["VERSION"]][0] == "other" for e in told if e.is_full)
        is_established = told[-1].at >= told[0].at + ESTABLISHED and not is_doubted
        truth.counts["servers"]["", "established" if is_established else "first seen"] += 1
        truth.counts["version"][VERSIONS[last["VERSION"]]] += 1
        truth.counts["architecture"]["", MACHINES[last["UNAME_MACHINE"]]] += 1
        for key, name in USED.items():
            truth.counts["feature"]["", name] += int(last[key])
    return truth


def known_fleet(size: int, seed: int) -> tuple[list[inbox.Row], Truth]:
    """What arrives of so many machines, and what is true of them."""
    random = Random(seed)
    events = [event for machine in machines(random, size) for event in life(random, machine)]
    truth = truth_of(events)
    return arrivals(random, events, truth), truth
