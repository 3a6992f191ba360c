"""pref_voting, another library, elects the same people where it has the same rule.

It is installed apart (scripts/install_pref_voting.sh), which takes minutes and 780 MB; so this is
one of the full proofs, and what it found is in docs/proofs/elections.md.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from governance.tally import contest
from governance.tally.contest import Contest
from governance.tally.formats.sheet import as_ranks
from governance.tally.marks import Marks
from governance.tally.schulze import NO_OPINION, UNRANKED, Comparison
from governance.tally.stages import Tally
from governance.tests.papers import LOT, ward_papers, wards

HERE = Path(__file__).resolve().parent
FOLDER = Path(os.environ.get("PREF_VOTING", HERE.parents[1] / "var/pref_voting"))
PROFILES = 300  # of each method
OF_MEEK = 60  # it needs seconds for each
pytestmark = pytest.mark.proof_full
Case = dict[str, Any]


def asked(cases: list[Case]) -> list[list[int]]:
    """What pref_voting says of each."""
    python = FOLDER / "bin/python"
    if not python.exists():
        pytest.skip("needs pref_voting (scripts/install_pref_voting.sh installs it)")
    done = subprocess.run(
        [python, "-I", HERE / "pref_voting_counts.py"],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def case(of: Contest, papers: Sequence[bytes]) -> Case:
    rows = [
        [number, {one: rank for one, rank in enumerate(ranks) if rank not in _SILENT}]
        for ranks, number in sorted(Counter(_ranks(of, paper) for paper in papers).items())
    ]
    last = "no opinion" if any(NO_OPINION in paper for paper in papers) else "last"
    numbers = {"candidates": of.candidates, "seats": of.seats}
    return {"method": of.method, "unranked": last, "papers": rows, **numbers}


_SILENT = (NO_OPINION, UNRANKED)


def _ranks(of: Contest, paper: bytes) -> bytes:
    return paper if of.method == "schulze" else as_ranks(paper, of.candidates)


def ours(of: Contest, papers: Sequence[bytes]) -> list[int] | None:
    """As pref_voting says it; None where we drew a lot or looked back, for which it has other
    words.
    """
    tally = contest.resolve(papers, of, lot=LOT)[-1].tally
    if isinstance(tally, Comparison):
        every = range(of.candidates)
        beats = tally.strongest
        return [a for a in every if all(beats[b][a] <= beats[a][b] for b in every)]
    if isinstance(tally, Marks):
        return list(tally.votes)
    assert isinstance(tally, Tally)
    tied = any(stage.ties for stage in tally.stages)
    return None if tied else sorted(tally.elected)


def drawn(method: str, number: int) -> list[tuple[Contest, list[bytes]]]:
    chosen = Random(f"{method} {number}")
    found = []
    for _ in range(number):
        candidates = chosen.randint(2, 7)
        seats = 1 if method in {"irv", "schulze"} else chosen.randint(1, 3)
        most = seats if method == "plurality" else candidates
        papers = [
            bytes(chosen.sample(range(candidates), chosen.randint(1, min(most, candidates))))
            for _ in range(chosen.randint(5, 400))
        ]
        if method == "schulze":
            silent = chosen.choice(_SILENT)
            ranks = [*range(1, candidates + 1), silent]
            papers = [bytes(chosen.choices(ranks, k=candidates)) for _ in papers]
        found.append((Contest(method, candidates, seats, {}), papers))
    return found


def differing(found: list[tuple[Contest, list[bytes]]]) -> tuple[int, list[int]]:
    """How many could be compared, and which of them differ."""
    theirs = asked([case(of, papers) for of, papers in found])
    compared, wrong = 0, []
    for place, ((of, papers), answer) in enumerate(zip(found, theirs, strict=True)):
        mine = ours(of, papers)
        if mine is not None:
            compared += 1
            wrong += [place] if mine != answer else []
    return compared, wrong


def tell(method: str, compared: int, of: int, wrong: list[int]) -> None:
    """For the record of proofs: `python -m pytest ... -m proof_full -s`."""
    sys.stdout.write(f"{method}: {compared} of {of} compared, these differ: {wrong}\n")


@pytest.mark.parametrize("method", ["scottish-stv", "irv", "schulze", "approval", "plurality"])
def test_made_elections_elect_the_same(method: str) -> None:
    compared, wrong = differing(drawn(method, PROFILES))
    tell(method, compared, PROFILES, wrong)
    assert compared > PROFILES // 2
    assert wrong == []


def test_elections_made_for_meek_elect_the_same() -> None:
    """It shares out with fractions of ten digits, ours with nine, rounded up: ties may differ."""
    compared, wrong = differing(drawn("meek-stv", OF_MEEK))
    tell("meek-stv", compared, OF_MEEK, wrong)
    assert compared > OF_MEEK // 2
    assert wrong == []


@pytest.mark.parametrize("method", ["scottish-stv", "plurality"])
def test_scottish_wards_elect_the_same(method: str, shared_data: Path) -> None:
    found = []
    for ward in wards(shared_data):
        papers = ward_papers(ward)
        if method == "plurality":
            papers = [paper[:1] for paper in papers]
        found.append((Contest(method, len(ward["candidates"]), ward["seats"], {}), papers))
    compared, wrong = differing(found)
    tell(method, compared, len(found), wrong)
    assert compared > 150
    assert wrong == []


def test_steering_committees_have_the_same_first(shared_data: Path) -> None:
    with lzma.open(shared_data / "elections/kubernetes_steering.json.xz", "rt") as file:
        elections = json.load(file)
    found = []
    for election in elections:
        names = election["candidates"]
        papers = [bytes(paper.get(name, 0) for name in names) for paper in election["ballots"]]
        found.append((Contest("schulze", len(names), 1, {}), papers))
    compared, wrong = differing(found)
    tell("schulze", compared, len(found), wrong)
    assert wrong == []
