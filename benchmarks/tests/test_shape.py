import numpy as np
import pytest

from benchmarks.actions.statistics import _flags
from benchmarks.models import Result
from benchmarks.statistics import FEWEST, describe
from benchmarks.statistics.shape import grade, has_two_levels, warm_up

GENERATOR = np.random.default_rng(8)


def warming(processes: int, *, by: float = 0.3, iterations: int = 12) -> list[list[float]]:
    """Processes that begin ``by`` above their end."""
    course = 1 + by * np.exp(-np.arange(iterations) / 2)
    noise = np.exp(np.random.default_rng(3).normal(0, 0.01, size=(processes, iterations)))
    found: list[list[float]] = (course * noise).tolist()
    return found


def test_processes_that_begin_slower_are_told() -> None:
    found = describe(warming(10), key="x").trend
    assert found is not None
    assert 0.15 < found < 0.3


def test_a_beginning_that_is_not_five_percent_off_is_not_told() -> None:
    assert describe(warming(10, by=0.04), key="x").trend is None


def test_fewer_than_five_processes_or_four_iterations_show_no_trend() -> None:
    assert describe(warming(5), key="x").trend is not None
    assert describe(warming(4), key="x").trend is None
    assert describe(warming(10, iterations=3), key="x").trend is None


def test_processes_that_disagree_show_no_trend() -> None:
    samples = [one[:: 1 if at % 3 else -1] for at, one in enumerate(warming(9))]
    assert describe(samples, key="x").trend is None


def test_processes_of_several_lengths_are_judged_alike() -> None:
    rows = [np.array([one[: 12 - at % 2]]) for at, one in enumerate(warming(8))]
    assert warm_up(rows) == pytest.approx(warm_up([np.array(warming(8))]), rel=0.2)
    assert warm_up([*rows, np.zeros((1, 8))]) is not None  # an end of zero has no share


def test_noise_alone_is_seldom_called_a_trend() -> None:
    told = sum(
        warm_up([np.exp(GENERATOR.normal(0, 0.1, size=(10, 10)))]) is not None for _ in range(200)
    )
    assert told <= 8  # the sign test says it in 2 % of them


def test_two_levels_are_told_between_processes_and_within() -> None:
    levels = np.where(np.arange(20) % 2, 1.0, 2.0)[:, None]
    noise = np.exp(np.random.default_rng(4).normal(0, 0.01, size=(20, 10)))
    assert describe((levels * noise).tolist(), key="x").two_levels
    inside = np.where(np.arange(10) % 3, 1.0, 2.0)[None, :]
    assert describe((inside * noise).tolist(), key="x").two_levels
    assert not describe(noise.tolist(), key="x").two_levels


def test_steps_of_a_clock_are_no_levels() -> None:
    """Two values that lie next to each other are far apart in deviations, and mean nothing."""
    assert not has_two_levels(np.array([1.0, 1.01] * 10), 1.0)
    assert has_two_levels(np.array([1.0, 1.1] * 10), 1.0)
    assert not has_two_levels(np.array([1.0, 2.0] * 4), 1.5)  # fewer than ten
    assert not has_two_levels(np.array([0.0, 2.0] * 9), 0.0)


@pytest.mark.parametrize("size", [10, 30, 100])
@pytest.mark.parametrize("kind", ["normal", "random", "standard_exponential", "standard_t"])
def test_one_level_is_seldom_called_two(kind: str, size: int) -> None:
    draw = getattr(np.random.default_rng(5), kind)
    more = {"df": 3} if kind == "standard_t" else {}
    wrong = sum(has_two_levels(draw(size=size, **more) + 5, 1.0) for _ in range(400))
    assert wrong <= 12


def test_levels_far_from_zero_keep_their_digits() -> None:
    noise = np.random.default_rng(6).normal(0, 1e-7, 40)
    values = np.where(np.arange(40) % 2, 1e9, 1.2e9) * (1 + noise)
    assert has_two_levels(values, 1e9)


def test_noise_has_a_grade() -> None:
    assert [grade(one, 9, FEWEST) for one in (0.005, 0.02, 0.05, 0.15, 0.5)] == list("ABCDE")
    assert grade(0.01, 4, FEWEST) == ""
    assert grade(None, 9, FEWEST) == ""


def test_flags_tell_a_slow_beginning_from_a_slow_end() -> None:
    rates = [[1 / value for value in one] for one in warming(10)]
    durations = describe(warming(10), key="x")
    turned = describe([one[::-1] for one in warming(10)], key="x")
    assert "warm_up" in _flags(Result(direction="lower"), durations)
    assert "warm_up" in _flags(Result(direction="higher"), describe(rates, key="x"))
    assert "slows_down" in _flags(Result(direction="lower"), turned)
    levels = describe([[1.0 + at % 2] * 3 for at in range(20)], key="x")
    assert _flags(Result(direction="lower"), levels) == ["two_levels", "wild"]
