"""What the demonstration foundation has published, as data. Days count from the first load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

SERVER: Final = "exampledb"
CONNECTOR: Final = "exampledb-connector-c"
YEAR: Final = 365


@dataclass(frozen=True, slots=True)
class PlannedRelease:
    """A release: how many days ago it was published, for which systems it has packages."""

    version: str
    maturity: str
    days_ago: int
    systems: Sequence[str] = ()
    also_on_arm: Sequence[str] = ()
    summary: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class PlannedSeries:
    """A series of a product: first stable release and end, in days from the first load."""

    product: str
    name: str
    support: str
    released: int | None
    ends: int | None
    releases: Sequence[PlannedRelease] = field(default_factory=tuple)


DEBS: Final = ("debian-13", "debian-12", "ubuntu-2604", "ubuntu-2404", "ubuntu-2204")
RPMS: Final = (
    *("rhel-10", "rhel-9", "rhel-8", "fedora-44", "fedora-43"),
    *("sles-16", "sles-15", "opensuse-16"),
)
FEW: Final = (  # what is loaded before the first page answers
    *("debian-13", "debian-12", "ubuntu-2404"),
    *("rhel-10", "rhel-9", "fedora-44", "sles-15", "opensuse-16"),
)
ALPHA_NOTES: Final = """\
### Notable

- Vector indexes may live on disk, up to 16,000 dimensions.
- `EXPLAIN REJECTED` prints the plans that were not taken, with their cost.
- Parallel replication keeps commit order with half the waits.

### Changed

- `feedback` is off by default and asks once during installation.
- TLS 1.1 is refused.

### Known problems

- Downgrading to 12.2 after a vector index was written is refused at start.
"""
FIXES: Final = """\
### Fixed

- A crafted collation name no longer stops the server.
- Temporary files are readable by their owner alone.
- Replicas catch up after a restart without reading the whole relay log again.
"""
CANDIDATE: Final = """\
### Test before it is final

- Your backups with the new incremental format.
- Applications that rely on the old order of rows without `ORDER BY`.

### Fixed since the beta

- Eleven errors that testers reported. Thank you.
"""

# The first pages show these two; the rest comes in the background.
FIRST: Final = ("12.3", "11.8")

SERIES: Final = (
    PlannedSeries(
        SERVER,
        "12.3",
        "long",
        200,
        200 + 3 * YEAR,
        [
            PlannedRelease(
                "12.3.0",
                "alpha",
                3,
                ("debian-12", "ubuntu-2404", "rhel-9"),
                summary="The first public build of the 12.3 series. It shows where the series is"
                " going; formats on disk may still change.",
                notes=ALPHA_NOTES,
            )
        ],
    ),
    PlannedSeries(
        SERVER,
        "12.2",
        "short",
        20,
        280,
        [
            PlannedRelease(
                "12.2.1",
                "rc",
                16,
                (*DEBS, *RPMS),
                summary="The release candidate of 12.2: complete, and waiting for your tests.",
                notes=CANDIDATE,
            )
        ],
    ),
    PlannedSeries(
        SERVER,
        "12.1",
        "short",
        -80,
        190,
        [
            PlannedRelease(
                "12.1.3", "stable", 30, (*DEBS, *RPMS), also_on_arm=(*DEBS, *RPMS), notes=FIXES
            )
        ],
    ),
    PlannedSeries(
        SERVER,
        "11.8",
        "long",
        -530,
        -530 + 5 * YEAR,
        [
            PlannedRelease("11.8.8", "stable", 100),
            PlannedRelease(
                "11.8.9",
                "stable",
                9,
                FEW,
                also_on_arm=("debian-12", "rhel-9"),
                summary="Corrections and two security fixes for the recommended long term series.",
                notes=FIXES,
            ),
        ],
    ),
    PlannedSeries(
        SERVER,
        "11.4",
        "long",
        -900,
        -900 + 5 * YEAR,
        [PlannedRelease("11.4.14", "stable", 9, (*DEBS[:4], *RPMS[1:5]), notes=FIXES)],
    ),
    PlannedSeries(
        SERVER,
        "10.11",
        "long",
        -1370,
        -1370 + 5 * YEAR,
        [
            PlannedRelease(
                "10.11.19", "old-stable", 9, ("debian-12", "ubuntu-2204", "rhel-9"), notes=FIXES
            )
        ],
    ),
    PlannedSeries(
        SERVER,
        "11.2",
        "short",
        -1090,
        -700,
        [PlannedRelease("11.2.6", "stable", 820, ("debian-12", "ubuntu-2204"))],
    ),
    PlannedSeries(
        SERVER,
        "10.6",
        "long",
        -1960,
        -138,
        [PlannedRelease("10.6.25", "old-stable", 200, ("debian-11", "ubuntu-2204", "rhel-9"))],
    ),
    PlannedSeries(
        CONNECTOR,
        "4.0",
        "short",
        None,
        None,
        [
            PlannedRelease(
                "4.0.0-beta2",
                "beta",
                50,
                ("debian-12", "rhel-9"),
                summary="Asynchronous calls without a second library.",
            )
        ],
    ),
    PlannedSeries(
        CONNECTOR,
        "3.4",
        "long",
        -600,
        600,
        [PlannedRelease("3.4.8", "stable", 18, ("debian-13", "debian-12", "rhel-9"), notes=FIXES)],
    ),
    PlannedSeries(
        CONNECTOR,
        "3.3",
        "rolling",
        -1400,
        -240,
        [PlannedRelease("3.3.15", "stable", 400)],
    ),
)
