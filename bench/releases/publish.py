"""What one more package costs, in a repository of 1,000, 10,000 and 100,000: ours beside the tools
that others publish with, in one run.

Ours signs, checks itself and keeps its history in PostgreSQL; the processor time of PostgreSQL and
of the signer is counted. The others neither sign nor check. A shorter run: SIZES and PEERS_UP_TO in
the environment.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator
from pathlib import Path

from bench import Cost, Measurement
from bench.releases import _ours as ours
from bench.releases import _peers as peers

RUNS = 7
PEER_RUNS = 3
SIZES = [int(size) for size in os.environ.get("SIZES", "1000 10000 100000").split()]
PEERS_UP_TO = int(os.environ.get("PEERS_UP_TO", "100000"))
TIMES = 10.0
WALL_S = 0.3
JUDGED_AT = 10_000


def measure() -> Iterator[Measurement]:
    with ours.installation() as (folder, others):
        for size in SIZES:
            shelf = ours.Ours(size, others)
            for kind in ours.SYSTEMS:
                yield from _at(folder / f"{kind}-{size}", shelf, kind, size)


def _at(folder: Path, shelf: ours.Ours, kind: str, size: int) -> Iterator[Measurement]:
    full, one = shelf.fill(kind), shelf.add(kind, RUNS)
    if size <= PEERS_UP_TO:
        for name, filled, added in _peers(folder, kind, size):
            yield _full(kind, size, full.cost, name, filled)
            yield _one(kind, size, one.cost, name, added)
    else:
        yield _full(kind, size, full.cost)
        yield _one(kind, size, one.cost)
    yield Measurement(
        work=f"{kind}: of that, hash and copy of the indices",
        size=f"{size:,} packages",
        ours=Cost(one.grows, one.grows, one.cost.rss_mb),
        reach=f"shown: {one.grows / one.cost.cpu_s:.0%} of the processor time",
        reached=True,
        runs=RUNS,
    )


def _peers(folder: Path, kind: str, size: int) -> Iterator[tuple[str, Cost, Cost]]:
    make, known = (peers.debs, peers.APT) if kind == "APT" else (peers.rpms, peers.YUM)
    files = list(make(folder / "packages", size + PEER_RUNS))
    for name, peer in peers.installed(known).items():
        tool = peer(name, folder / name)
        filled = tool.fill(files[:size])
        added = [tool.add(file) for file in files[size:]]
        yield name, filled, _median(added)


def _median(costs: list[Cost]) -> Cost:
    return Cost(
        statistics.median(cost.wall_s for cost in costs),
        statistics.median(cost.cpu_s for cost in costs),
        max(cost.rss_mb for cost in costs),
    )


def _one(
    kind: str, size: int, cost: Cost, peer: str = "", theirs: Cost | None = None
) -> Measurement:
    reach = f"below {WALL_S} s wall"
    reached = cost.wall_s < WALL_S
    if theirs is not None and size == JUDGED_AT:
        wall, cpu = theirs.wall_s / cost.wall_s, theirs.cpu_s / cost.cpu_s
        reach += f" and {TIMES:.0f} times less than {peer} (here {wall:.1f} wall, {cpu:.1f} cpu)"
        reached &= min(wall, cpu) >= TIMES
    return Measurement(
        work=f"{kind}: publish one more package",
        size=f"{size:,} packages",
        ours=cost,
        peer=peer,
        theirs=theirs,
        reach=reach if size <= JUDGED_AT else "shown",
        reached=reached if size <= JUDGED_AT else True,
        runs=RUNS,
    )


def _full(
    kind: str, size: int, cost: Cost, peer: str = "", theirs: Cost | None = None
) -> Measurement:
    return Measurement(
        work=f"{kind}: publish all packages at once",
        size=f"{size:,} packages",
        ours=cost,
        peer=peer,
        theirs=theirs,
        reach="shown",
        reached=True,
        runs=1,
    )
