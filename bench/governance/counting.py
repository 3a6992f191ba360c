"""A million different ballot papers, twelve candidates, six seats: ours and others in one run."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

from bench import Cost, Measurement, timed
from bench.governance import _plain
from bench.governance._others import LIBRARIES, Named
from governance.tally import meek, schulze, scottish
from governance.tally.ties import Lot

PAPERS = 1_000_000
CANDIDATES = [f"Candidate {letter}" for letter in "ABCDEFGHIJKL"]
SEATS = 6
LOT = Lot("bench")
RUNS = 5
SECONDS = 5  # of a processor, for the other methods
MEMORY = 1024  # megabytes
HERE = Path(__file__).parent


def measure() -> Iterator[Measurement]:
    papers = different(PAPERS)
    size = f"{PAPERS:,} different papers"
    ours = timed(
        lambda: scottish.count(papers, candidates=len(CANDIDATES), seats=SEATS, lot=LOT), runs=RUNS
    )
    named = [tuple(CANDIDATES[one] for one in paper) for paper in papers]
    plain = timed(lambda: _plain.elect(named, CANDIDATES, SEATS), runs=RUNS)
    reached = ours.cpu_s <= plain.cpu_s / 2 and ours.rss_mb < MEMORY
    reach = "half the time of a plain counter, below 1 GiB"
    yield Measurement("Scottish STV", size, ours, reach, reached, RUNS, "a plain counter", plain)
    for name, theirs in others(named):
        reach = "shown beside others, which run once"
        yield Measurement("Scottish STV", size, ours, reach, True, RUNS, name, theirs)
    yield from other_methods()


def others(named: Named) -> Iterator[tuple[str, Cost]]:
    """What the libraries of `peers.txt` cost, each in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin/python"
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--requirement", HERE / "peers.txt"],
            check=True,
        )
        papers = Path(folder) / "papers"
        papers.write_text(json.dumps(named))
        for name in LIBRARIES:
            words = [str(python), str(HERE / "_others.py"), name, str(papers), str(SEATS)]
            done = subprocess.run(words, stdout=subprocess.PIPE, check=False)
            if done.returncode:
                print(f"  {name} ended with {done.returncode}", file=sys.stderr)
            else:
                yield name, Cost(**json.loads(done.stdout))


def other_methods() -> Iterator[Measurement]:
    papers = different(100_000)
    drawn = random.Random(2)
    ranks = [bytes(drawn.choices(range(1, 13), k=len(CANDIDATES))) for _ in papers]
    for work, count, these in (("Meek STV", meek.count, papers), ("Schulze", schulze.count, ranks)):
        cost = timed(
            lambda count=count, these=these: count(  # type: ignore[misc]
                these, candidates=len(CANDIDATES), seats=SEATS, lot=LOT
            ),
            runs=RUNS,
        )
        reach = f"less than {SECONDS} s of a processor"
        yield Measurement(work, "100,000 papers", cost, reach, cost.cpu_s < SECONDS, RUNS)


def different(number: int) -> list[bytes]:
    """So many papers, no two alike, of six candidates or more; the same ones in every run."""
    drawn = random.Random(1)
    found: dict[bytes, None] = {}
    while len(found) < number:
        found[bytes(drawn.sample(range(len(CANDIDATES)), drawn.randint(6, 12)))] = None
    return list(found)
