"""Slow-downs of a known size, put into samples with realistic scatter, are found as promised."""

import numpy as np
import pytest

from benchmarks.statistics import Side, Verdict, contrast, judge, processes_needed
from benchmarks.statistics.judge import SMALLEST, detectable

ROUNDS = 200
SCATTER = 0.02  # within a process; its medians of 9 iterations keep a third of that
PROMISED = 0.8


def rates(*, slower: float, between: float, processes: int) -> tuple[float, float]:
    """How often a slow-down is called one, and how often its presence is sure."""
    generator = np.random.default_rng([20261122, round(slower * 1e4), round(between * 1e4)])
    called = sure = 0
    for at in range(ROUNDS):
        levels = np.exp(generator.normal(0, between, size=(2, processes, 1)))
        levels[0] *= 1 + slower
        a, b = levels * np.exp(generator.normal(0, SCATTER, size=(2, processes, 9)))
        found = contrast(
            Side(a.tolist(), f"{at} a"), Side(b.tolist(), f"{at} b"), direction="lower"
        )
        assert found is not None
        [finding] = judge([found])
        called += finding.verdict is Verdict.WORSE
        sure += finding.sure and found.ratio < 1
    return called / ROUNDS, sure / ROUNDS


def spread(between: float) -> float:
    """The deviation of process medians: levels, and what nine iterations leave of the scatter."""
    return float((between**2 + (1.2533 * SCATTER) ** 2 / 9) ** 0.5)


@pytest.mark.proof
@pytest.mark.parametrize("between", [0.01, 0.02, 0.05, 0.1])
@pytest.mark.parametrize("slower", [0.05, 0.1])
def test_five_and_ten_percent_are_called_slower_in_four_of_five(
    slower: float, between: float
) -> None:
    needed = processes_needed(share=slower, spread=spread(between))
    called, _sure = rates(slower=slower, between=between, processes=needed)
    assert called >= PROMISED - 0.06  # two standard errors of 200 rounds


@pytest.mark.proof
@pytest.mark.parametrize("between", [0.01, 0.02, 0.03])
def test_two_percent_are_sure_in_four_of_five_and_called_in_half(between: float) -> None:
    """What is called must exceed 2 %: a slow-down of just that lies on the edge."""
    needed = processes_needed(share=SMALLEST, spread=spread(between))
    called, sure = rates(slower=SMALLEST, between=between, processes=needed)
    assert sure >= PROMISED - 0.06
    assert 0.35 <= called <= 0.65


@pytest.mark.proof
def test_far_fewer_processes_than_promised_find_far_less() -> None:
    needed = processes_needed(share=0.05, spread=spread(0.05))
    called, _sure = rates(slower=0.05, between=0.05, processes=needed // 3)
    assert called < 0.5


def test_what_is_promised_is_worked_out() -> None:
    # (2.8016 * 1.7725 * 0.05 / ln 1.1)^2 = 6.79, and one more
    assert processes_needed(share=0.1, spread=0.05) == 8
    assert processes_needed(share=0.5, spread=0.001) == 5  # never fewer than five
    assert processes_needed(share=0.02, spread=0) == 5
    for processes in (5, 10, 30, 200):
        share = detectable(processes=processes, spread=0.1)
        assert processes_needed(share=share, spread=0.1) in {processes, processes + 1}
    assert detectable(processes=100, spread=0) == SMALLEST
