"""Order, unit and direction say nothing about what was measured, so they change no verdict."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchmarks.statistics import Finding, Side, Verdict, contrast, describe, judge
from benchmarks.statistics.compare import Direction
from benchmarks.statistics.draws import drawn_medians, middle_95

Samples = list[list[float]]
TURNED = {
    Verdict.BETTER: Verdict.WORSE,
    Verdict.WORSE: Verdict.BETTER,
    Verdict.NOT_SHOWN: Verdict.NOT_SHOWN,
    Verdict.NONE: Verdict.NONE,
}


@st.composite
def two_sides(draw: st.DrawFn) -> tuple[Samples, Samples]:
    """Two sides near each other, in nanoseconds, so that every verdict occurs."""
    shift = draw(st.sampled_from([0, 20, 30, 60, 200]))
    noise = draw(st.integers(0, 60))

    def side(middle: int) -> Samples:
        process = st.lists(
            st.integers(middle - noise, middle + noise).map(float), min_size=1, max_size=4
        )
        found: Samples = draw(st.lists(process, min_size=4, max_size=9))
        return found

    return side(1000), side(1000 + shift)


def found(a: Samples, b: Samples, direction: Direction = "lower") -> Finding:
    one = contrast(Side(a, "a"), Side(b, "b"), direction=direction)
    assert one is not None
    return judge([one])[0]


def same(one: Finding, other: Finding) -> None:
    assert (one.verdict, one.effect, one.sure) == (other.verdict, other.effect, other.sure)
    ours, theirs = one.contrast, other.contrast
    for name in ("ratio", "low", "high", "p", "delta", "floor", "spread"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(two_sides(), st.integers(0, 999))
def test_the_order_of_samples_and_processes_changes_nothing(
    sides: tuple[Samples, Samples], seed: int
) -> None:
    chance = random.Random(seed)
    a, b = ([chance.sample(one, len(one)) for one in side] for side in sides)
    chance.shuffle(a)
    chance.shuffle(b)
    same(found(*sides), found(a, b))


@settings(max_examples=25, deadline=None)
@given(two_sides(), st.sampled_from([1e-9, 1e-6, 1e-3, 7.0, 1e3]))
def test_the_unit_changes_nothing(sides: tuple[Samples, Samples], factor: float) -> None:
    a, b = ([[value * factor for value in one] for one in side] for side in sides)
    same(found(*sides), found(a, b))


@settings(max_examples=25, deadline=None)
@given(two_sides())
def test_a_rate_is_judged_as_its_duration_is(sides: tuple[Samples, Samples]) -> None:
    a, b = ([[1e9 / value for value in one] for one in side] for side in sides)
    same(found(*sides), found(a, b, "higher"))


@settings(max_examples=25, deadline=None)
@given(two_sides())
def test_turning_the_sides_turns_the_verdict(sides: tuple[Samples, Samples]) -> None:
    there = found(*sides)
    b, a = (Side(side, key) for side, key in zip(sides, "ab", strict=True))
    turned = contrast(a, b, direction="lower")
    assert turned is not None
    back = judge([turned])[0]
    assert back.verdict is TURNED[there.verdict]
    assert back.contrast.ratio * there.contrast.ratio == pytest.approx(1)
    if there.contrast.low is not None:
        assert back.contrast.high is not None
        assert there.contrast.low * back.contrast.high == pytest.approx(1)


def test_two_percent_is_the_edge_in_both_directions() -> None:
    for slower, verdict in ((1.0199, Verdict.NOT_SHOWN), (1.0201, Verdict.WORSE)):
        a, b = [[slower]] * 9, [[1.0]] * 9
        assert found(a, b).verdict is verdict
        assert found(a, b).sure
        assert found(b, a).verdict is TURNED[verdict]


@pytest.mark.parametrize("size", [5, 6, 9, 10, 30])
def test_the_draws_are_those_of_a_bootstrap(size: int) -> None:
    """Two thousand medians, as often at each value as in samples that are really drawn."""
    generator = np.random.default_rng(1)
    values = generator.normal(10, 1, size)
    one, other = drawn_medians(values, "key")
    assert len(one) == 2000
    really = np.median(values[generator.integers(size, size=(20_000, size))], axis=1)
    assert stats.ks_2samp((one + other) / 2, really).pvalue > 0.001
    assert (one <= other).all()


def test_the_interval_is_that_of_scipy() -> None:
    values = np.random.default_rng(2).normal(100, 5, 31)
    theirs = stats.bootstrap(
        (values,), np.median, n_resamples=20_000, method="percentile", rng=1
    ).confidence_interval
    ours = describe([[value] for value in values], key="x")
    gaps = max(after - before for before, after in pairwise(np.sort(values)))
    assert ours.low == pytest.approx(theirs.low, abs=gaps)
    assert ours.high == pytest.approx(theirs.high, abs=gaps)


def test_quartiles_and_the_ends_of_an_interval_are_those_of_numpy() -> None:
    values = np.random.default_rng(3).normal(size=2000)
    assert middle_95(values) == pytest.approx(tuple(np.percentile(values, [2.5, 97.5])))
    for size in (1, 2, 5, 8, 11):
        told = describe([list(values[:size])], key="x")
        quartiles = (told.lower_quartile, told.upper_quartile)
        assert quartiles == pytest.approx(tuple(np.percentile(values[:size], [25, 75])))


def test_the_interval_holds_the_true_median_as_often_as_it_says() -> None:
    generator = np.random.default_rng(4)
    held = 0
    for at in range(300):
        told = describe(generator.normal(100, 5, size=(20, 1)).tolist(), key=str(at))
        assert told.low is not None
        assert told.high is not None
        held += told.low <= 100 <= told.high
    assert held >= 0.92 * 300
