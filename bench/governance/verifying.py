"""How many sealed ballots a core checks in a second, and what a second core adds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bench import Measurement, timed
from governance.recount import bundle, opened
from governance.recount.check import check
from governance.sealed import manifest, wire
from governance.sealed.manifest import Manifest
from governance.tests import finished_election as finished
from governance.tests.sealed_election import CONTRIBUTORS, MEMBERS

BALLOTS = 500  # in each of two constituencies
PAPERS = (b"\x00\x01\x02", b"\x01\x02", b"\x02\x00", b"\x01")
MILLISECONDS = 0.8  # of a processor for each ballot
RUNS = 3
CORES = 2
AGAIN = 10  # the same ballots, so many times


def measure() -> Iterator[Measurement]:
    votes = {name: [PAPERS[at % 4] for at in range(BALLOTS)] for name in (CONTRIBUTORS, MEMBERS)}
    parts = finished.election(votes).parts()
    texts = bundle.contents(parts, bundle.count(parts))
    number = 2 * BALLOTS
    size = f"{number:,} ballots"
    whole = timed(lambda: _sound(texts), runs=RUNS)
    reach = f"less than {MILLISECONDS} ms of a processor for each"
    reached = whole.cpu_s * 1000 / number < MILLISECONDS
    print(f"  {number / whole.cpu_s:,.0f} ballots a second and core, in all steps")
    yield Measurement("whole check of a bundle", size, whole, reach, reached, RUNS)
    lines = parts.ballots
    found = manifest.read(parts.manifest)
    signatures = timed(lambda: opened.examine(lines, found), runs=RUNS)
    yield Measurement("signatures alone", size, signatures, "shown", True, RUNS)
    ballots = [wire.read_ballot(line) for line in lines]
    key = parts.opening.election_key
    opening = timed(lambda: opened.votes(found, ballots, key, issued={}), runs=RUNS)
    yield Measurement("opening alone", size, opening, "shown", True, RUNS)
    yield _on_all_cores(lines * AGAIN, found)


def _on_all_cores(lines: Sequence[bytes], found: Manifest) -> Measurement:
    """What is left to the process that was started: what others do does not count for it."""
    one = timed(lambda: opened.examine(lines, found), runs=1)
    several = timed(lambda: opened.examine(lines, found, workers=CORES), runs=RUNS)
    reach = f"{CORES} processes leave less than half of the work to the first"
    reached = several.cpu_s < one.cpu_s / 2
    size = f"{len(lines):,} ballots"
    return Measurement(
        f"signatures by {CORES} processes", size, several, reach, reached, RUNS, "by one", one
    )


def _sound(texts: Mapping[str, bytes]) -> None:
    report = check(texts)
    assert report.is_sound, report.faults
