"""Real processes against themselves: 250 comparisons of 2 x 10, `against_itself/record.py`."""

import csv
import gzip
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from benchmarks.statistics import Side, Verdict, contrast, judge

SAMPLES = Path(__file__).parent / "against_itself" / "samples.csv.gz"


def recorded() -> dict[str, dict[str, list[list[float]]]]:
    """Samples as comparison -> side -> [process][iteration]."""
    found: dict[str, dict[str, list[list[float]]]] = defaultdict(lambda: {"A": [], "B": []})
    with gzip.open(SAMPLES, "rt") as file:
        for number, case, side, *taken in csv.reader(file):
            found[f"{case} {number}"][side].append([float(one) for one in taken])
    return found


@pytest.mark.proof
def test_a_real_client_against_itself_is_called_different_in_at_most_one_of_twenty() -> None:
    comparisons = recorded()
    assert len(comparisons) == 250
    different = pooled = 0
    for name, sides in comparisons.items():
        a, b = sides["A"], sides["B"]
        assert (len(a), len(b)) == (10, 10)
        found = contrast(Side(a, f"{name} A"), Side(b, f"{name} B"), direction="lower")
        assert found is not None
        different += judge([found])[0].verdict in {Verdict.BETTER, Verdict.WORSE}
        pooled += mannwhitneyu(np.ravel(a), np.ravel(b)).pvalue < 0.05
    assert 0 < different <= 0.05 * len(comparisons)
    assert pooled > 0.2 * len(comparisons)  # the same data, judged as is often done


@pytest.mark.proof
def test_five_processes_of_it_are_called_different_as_seldom() -> None:
    comparisons = recorded()
    different = 0
    for name, sides in comparisons.items():
        for half in (slice(0, 5), slice(5, 10)):
            a, b = (Side(sides[side][half], f"{name} {side} {half}") for side in "AB")
            found = contrast(a, b, direction="lower")
            assert found is not None
            different += judge([found])[0].verdict in {Verdict.BETTER, Verdict.WORSE}
    assert different <= 0.05 * 2 * len(comparisons)
