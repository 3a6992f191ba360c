"""Whether a report can be true, beside the one before it of the same server. Pure.

A server that is one machine started at one moment, and at a later one after a restart; its
counters grow in between. Two machines behind one identity, as containers with the same address
in their own networks have, start at moments that exclude each other.
"""

from __future__ import annotations

import datetime as dt
import enum
from dataclasses import dataclass
from typing import Final

TOLERANCE: Final = dt.timedelta(hours=1)  # clocks are set, and a report comes late
LONGEST_UP: Final = 20 * 365 * 86_400  # seconds; longer than the plugin exists


class Doubt(enum.IntFlag):
    """Why a report is not believed as it stands. A place is its bit for ever."""

    SHARED = 1
    BACKWARDS = 2
    UPTIME = 4
    VERSION = 8


@dataclass(frozen=True, slots=True)
class Pulse:
    """What a full report says of its moment; nothing where it says no time since the start."""

    at: dt.datetime
    booted_at: dt.datetime | None
    connections: int


def pulse(at: dt.datetime, *, uptime: int, connections: int) -> Pulse:
    """The pulse of a report that came at `at`, after so many seconds and connections."""
    known = 0 < uptime <= LONGEST_UP
    return Pulse(at, at - dt.timedelta(seconds=uptime) if known else None, connections)


def doubts(now: Pulse, before: Pulse | None, *, uptime: int, version_known: bool) -> Doubt:
    """What speaks against a report. One that came earlier than `before` is not compared."""
    found = Doubt(0)
    if uptime > LONGEST_UP:
        found |= Doubt.UPTIME
    if not version_known:
        found |= Doubt.VERSION
    if before is not None and now.at >= before.at:
        found |= _compared(now, before)
    return found


def _compared(now: Pulse, before: Pulse) -> Doubt:
    if now.booted_at is None or before.booted_at is None:
        return Doubt(0)
    moved = now.booted_at - before.booted_at
    if abs(moved) <= TOLERANCE:
        return Doubt.BACKWARDS if now.connections < before.connections else Doubt(0)
    restarted = now.booted_at >= before.at - TOLERANCE
    return Doubt(0) if restarted else Doubt.SHARED
