"""Counts by other libraries: `python _others.py NAME PAPERS SEATS`, where they are installed.

PAPERS is a JSON list of lists of names. Prints the cost as JSON; what each library wants papers
to be is made before the clock starts.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Named = list[tuple[str, ...]]


def pyrankvote(papers: Named, seats: int) -> Callable[[], Any]:
    from pyrankvote import Ballot, Candidate, single_transferable_vote

    candidates = {
        name: Candidate(name) for name in sorted({name for one in papers for name in one})
    }
    ballots = [Ballot([candidates[name] for name in paper]) for paper in papers]
    return lambda: single_transferable_vote(list(candidates.values()), ballots, seats)


def votelib(papers: Named, seats: int) -> Callable[[], Any]:
    from votelib.evaluate.sequential import TransferableVoteSelector

    counts = dict.fromkeys(papers, 1)
    return lambda: TransferableVoteSelector().evaluate(counts, seats)


def py3votecore(papers: Named, seats: int) -> Callable[[], Any]:
    from py3votecore.stv import STV

    ballots = [{"count": 1, "ballot": list(paper)} for paper in papers]
    return lambda: STV(ballots, required_winners=seats).calculate_results()


LIBRARIES = {"pyrankvote": pyrankvote, "votelib": votelib, "py3votecore": py3votecore}


def main(name: str, path: str, seats: str) -> None:
    papers = [tuple(paper) for paper in json.loads(Path(path).read_text())]
    count = LIBRARIES[name](papers, int(seats))
    del papers
    wall, cpu = time.perf_counter(), time.process_time()
    count()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"wall_s": wall, "cpu_s": cpu, "rss_mb": round(peak, 1)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
