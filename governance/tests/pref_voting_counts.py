"""How pref_voting counts: run by a Python that has it, JSON in and out.

In: a list of {"method", "candidates", "seats", "papers": [[how many, {candidate: rank}], ...]}.
Out: of each the winners; of approval and plurality the votes of every candidate.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from pref_voting.grade_profiles import GradeProfile
from pref_voting.iterative_methods import instant_runoff_for_truncated_linear_orders
from pref_voting.margin_based_methods import beat_path
from pref_voting.profiles_with_ties import ProfileWithTies
from pref_voting.proportional_methods import stv_meek, stv_scottish

Case = dict[str, Any]


def profile(case: Case) -> ProfileWithTies:
    ranks = [{int(one): rank for one, rank in ranks.items()} for _, ranks in case["papers"]]
    numbers = [number for number, _ in case["papers"]]
    return ProfileWithTies(ranks, numbers, candidates=list(range(case["candidates"])))


def schulze(case: Case) -> list[int]:
    """With winning votes. Who is not ranked is below all who are, or nothing is said of them."""
    found = profile(case)
    if case["unranked"] == "last":
        found.use_extended_strict_preference()
    return [int(one) for one in beat_path(found, strength_function=found.support)]


def marks(case: Case) -> list[int]:
    given = [{int(one): 1 for one in ranks} for _, ranks in case["papers"]]
    numbers = [number for number, _ in case["papers"]]
    candidates = list(range(case["candidates"]))
    found = GradeProfile(given, [0, 1], gcounts=numbers, candidates=candidates)
    return [int(found.sum(one) or 0) if found.has_grade(one) else 0 for one in candidates]


METHODS = {
    "scottish-stv": lambda case: stv_scottish(profile(case), num_seats=case["seats"]),
    "meek-stv": lambda case: stv_meek(profile(case), num_seats=case["seats"]),
    "irv": lambda case: instant_runoff_for_truncated_linear_orders(profile(case)),
    "schulze": schulze,
    "approval": marks,
    "plurality": marks,
}


def main() -> None:
    cases = json.load(sys.stdin)
    answers = [[int(one) for one in METHODS[case["method"]](case)] for case in cases]
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
