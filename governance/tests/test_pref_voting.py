"""pref_voting, another library, elects the same people where it has the same rule.

It is installed apart (scripts/install_pref_voting.sh), which takes minutes and 780 MB. So what it
said of these elections is kept, and held against ours in every proof; the full proof asks it again.
With PREF_VOTING_KEEP=1 that one writes the answers anew. What was found is in
docs/proofs/elections.md.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
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
KEPT = HERE / "vectors/pref_voting.json"
PROFILES = 300  # of each method
OF_MEEK = 60  # it needs seconds for each
Case = dict[str, Any]
Elections = list[tuple[Contest, list[bytes]]]


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
        [number, {str(one): rank for one, rank in enumerate(ranks) if rank not in _SILENT}]
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


def drawn(method: str, number: int) -> Elections:
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


def made(method: str, number: int) -> Callable[[pytest.FixtureRequest], Elections]:
    return lambda _request: drawn(method, number)


def real_wards(request: pytest.FixtureRequest, method: str) -> Elections:
    """As they were counted, or by first preferences alone."""
    found = []
    for ward in wards(request.getfixturevalue("shared_data")):
        papers = ward_papers(ward)
        if method == "plurality":
            papers = [paper[:1] for paper in papers]
        found.append((Contest(method, len(ward["candidates"]), ward["seats"], {}), papers))
    return found


def committees(request: pytest.FixtureRequest) -> Elections:
    """Steering committees of Kubernetes: who is first."""
    folder = request.getfixturevalue("shared_data")
    with lzma.open(folder / "elections/kubernetes_steering.json.xz", "rt") as file:
        elections = json.load(file)
    found = []
    for election in elections:
        names = election["candidates"]
        papers = [bytes(paper.get(name, 0) for name in names) for paper in election["ballots"]]
        found.append((Contest("schulze", len(names), 1, {}), papers))
    return found


METHODS = ("scottish-stv", "irv", "schulze", "approval", "plurality")
SETS: dict[str, Callable[[pytest.FixtureRequest], Elections]] = {
    **{method: made(method, PROFILES) for method in METHODS},
    # It shares out with fractions of ten digits, ours with nine, rounded up: ties may differ.
    "meek-stv": made("meek-stv", OF_MEEK),
    "wards": partial(real_wards, method="scottish-stv"),
    "first preferences of wards": partial(real_wards, method="plurality"),
    "committees": committees,
}


def kept() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(KEPT.read_text())
    return found


def name_of(cases: list[Case]) -> str:
    """Answers are those to exactly these elections."""
    return sha256(json.dumps(cases, sort_keys=True).encode()).hexdigest()


@pytest.mark.proof
@pytest.mark.parametrize("name", SETS)
def test_elected_are_those_whom_pref_voting_elects(
    name: str, request: pytest.FixtureRequest
) -> None:
    found = SETS[name](request)
    known = kept()[name]
    assert known["elections"] == name_of([case(of, papers) for of, papers in found])
    compared, wrong = 0, []
    for place, ((of, papers), answer) in enumerate(zip(found, known["answers"], strict=True)):
        mine = ours(of, papers)
        if mine is not None:
            compared += 1
            wrong += [place] if mine != answer else []
    sys.stdout.write(f"{name}: {compared} of {len(found)} compared, these differ: {wrong}\n")
    assert compared > len(found) // 2
    assert wrong == []


@pytest.mark.proof_full
@pytest.mark.parametrize("name", SETS)
def test_the_kept_answers_are_those_of_pref_voting(
    name: str, request: pytest.FixtureRequest
) -> None:
    cases = [case(of, papers) for of, papers in SETS[name](request)]
    told = {"elections": name_of(cases), "answers": asked(cases)}
    if os.environ.get("PREF_VOTING_KEEP"):
        known = kept() if KEPT.exists() else {}
        KEPT.write_text(json.dumps({**known, name: told}, sort_keys=True) + "\n")
    assert kept()[name] == told
