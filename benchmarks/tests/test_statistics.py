import itertools
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from benchmarks.statistics import Contrast, Side, Verdict, contrast, describe, holm, judge
from benchmarks.statistics.compare import Direction
from benchmarks.statistics.judge import effect


def single(values: list[float]) -> list[list[float]]:
    return [[value] for value in values]


def against(a: list[float], b: list[float]) -> Contrast:
    found = contrast(Side(single(a), "a"), Side(single(b), "b"), direction="lower")
    assert found is not None
    return found


def test_the_headline_is_the_median_of_process_medians_not_of_all_samples() -> None:
    found = describe([[1, 1, 1, 1, 1, 1, 9], [5], [6]], key="x")
    assert found.median == 5
    assert found.mad == 1  # |1-5|, |5-5|, |6-5|
    assert (found.processes, found.samples) == (3, 9)
    assert (found.minimum, found.maximum) == (1, 9)
    assert found.lower_quartile == 1
    assert found.upper_quartile == 5


def test_the_interval_of_a_known_set_is_what_the_bootstrap_gives() -> None:
    found = describe(single([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]), key="known")
    assert found.low is not None
    assert found.high is not None
    # the exact distribution of the bootstrap median of 1..10 has its 2.5 % points here
    assert 11.5 <= found.low <= 12.5
    assert 16.5 <= found.high <= 17.5
    assert found == describe(single([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]), key="known")


def test_variation_is_told_between_and_within_processes() -> None:
    found = describe([[9, 11], [18, 22]], key="x")
    assert found.within == pytest.approx(np.std([9, 11], ddof=1) / 10)
    assert found.between == pytest.approx(np.std([10, 20], ddof=1) / 15)
    alone = describe([[5]], key="x")
    assert alone.within is None
    assert alone.between is None


def test_fewer_than_five_processes_get_no_interval() -> None:
    assert describe(single([1, 2, 3, 4]), key="x").low is None
    assert describe(single([1, 2, 3, 4, 5]), key="x").low is not None


def test_an_empty_process_is_an_error() -> None:
    wrong: list[list[list[float]]] = [[], [[]], [[1.0], []]]
    for samples in wrong:
        with pytest.raises(ValueError, match="at least one sample"):
            describe(samples, key="x")


def test_many_processes_are_drawn_in_blocks() -> None:
    found = describe(single([1.0 + n % 7 for n in range(9000)]), key="x")
    assert found.low == found.median == found.high == 4


def test_a_duration_half_as_long_is_twice_as_fast() -> None:
    found = against([1.0, 1.1, 0.9, 1.0, 1.05], [2.0, 2.2, 1.8, 2.0, 2.1])
    assert found.ratio == pytest.approx(2)
    assert found.delta == 1
    assert found.p == pytest.approx(mannwhitneyu(range(5), range(5, 10)).pvalue, abs=0.005)
    (finding,) = judge([found])
    assert finding.verdict is Verdict.BETTER
    assert finding.effect == "large"
    (turned,) = judge([against([2.0, 2.2, 1.8, 2.0, 2.1], [1.0, 1.1, 0.9, 1.0, 1.05])])
    assert turned.verdict is Verdict.WORSE


def test_more_operations_are_better_when_the_direction_says_so() -> None:
    a, b = Side(single([200] * 5), "a"), Side(single([100] * 5), "b")
    found = contrast(a, b, direction="higher")
    assert found is not None
    assert found.ratio == pytest.approx(2)


def test_cliffs_delta_counts_pairs() -> None:
    ours, theirs = [3.0, 5, 7, 9, 11], [4.0, 5, 6, 8, 30]
    pairs = list(itertools.product(ours, theirs))
    better = sum(a < b for a, b in pairs) - sum(a > b for a, b in pairs)
    assert against(ours, theirs).delta == pytest.approx(better / len(pairs))


@pytest.mark.parametrize(
    ("delta", "word"),
    [(0.1, "negligible"), (-0.2, "small"), (0.4, "medium"), (-0.9, "large"), (None, "")],
)
def test_an_effect_has_a_word(delta: float | None, word: str) -> None:
    assert effect(delta) == word


def test_four_processes_get_a_ratio_and_no_verdict() -> None:
    (finding,) = judge([against([1, 1, 1, 1], [9, 9, 9, 9, 9])])
    assert finding.contrast.ratio == pytest.approx(9)
    assert finding.verdict is Verdict.NONE


def test_a_sure_difference_below_two_percent_is_not_shown() -> None:
    (finding,) = judge([against([1.000 + n / 1e6 for n in range(9)], [1.015] * 9)])
    assert finding.p is not None
    assert finding.p < 0.05
    assert finding.verdict is Verdict.NOT_SHOWN


def test_no_ratio_exists_where_a_median_is_zero() -> None:
    zero, one = Side(single([0.0] * 5), "a"), Side(single([1.0] * 5), "b")
    assert contrast(zero, one, direction="lower") is None
    assert contrast(zero, one, direction="higher") is None
    some = Side(single([0.0, 0, 1, 1, 1]), "c")
    found = contrast(one, some, direction="higher")
    assert found is not None
    assert found.low is None


def test_holm_against_a_known_answer() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_a_table_of_many_comparisons_needs_more_to_be_sure() -> None:
    ours, theirs = [1.0, 1.1, 1.2, 1.3, 1.4], [1.45, 1.5, 1.6, 1.7, 1.8]
    assert judge([against(ours, theirs)])[0].verdict is Verdict.BETTER
    equal = against([1, 2, 3, 4, 5], [1, 2, 3, 4, 5])
    table = judge([against(ours, theirs), *[equal] * 9])
    assert table[0].verdict is Verdict.NOT_SHOWN


def test_a_thing_against_itself_is_called_different_in_at_most_one_of_twenty() -> None:
    """The rule on process medians keeps its promise; pooled samples break it."""
    generator = np.random.default_rng(20261120)
    rounds, wrong, pooled = 400, 0, 0
    for at in range(rounds):
        # a process has its own level, its iterations scatter around it
        levels = np.exp(generator.normal(0, 0.1, size=(2, 10, 1)))
        a, b = levels * np.exp(generator.normal(0, 0.03, size=(2, 10, 12)))
        found = contrast(Side(a.tolist(), f"{at}"), Side(b.tolist(), f"{at}x"), direction="lower")
        assert found is not None
        wrong += judge([found])[0].verdict in {Verdict.BETTER, Verdict.WORSE}
        pooled += mannwhitneyu(a.ravel(), b.ravel()).pvalue < 0.05
    assert 0.01 <= wrong / rounds <= 0.055
    assert pooled / rounds > 0.3


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(0.001, 1000), min_size=5, max_size=15),
    st.lists(st.floats(0.001, 1000), min_size=5, max_size=15),
)
def test_turning_the_sides_turns_the_answer(a: list[float], b: list[float]) -> None:
    there, back = against(a, b), against(b, a)
    assert there.ratio * back.ratio == pytest.approx(1)
    assert there.delta == pytest.approx(-(back.delta or 0), abs=1e-9)
    assert there.low is not None
    assert there.high is not None
    assert there.low <= there.high


def test_the_web_process_does_not_pay_for_scipy() -> None:
    """Nor does what benchmarks give to it pay for numpy (the PDF library of others brings that)."""
    code = (
        "import sys, django; django.setup(); before = set(sys.modules); "
        "import benchmarks.urls, benchmarks.api; "
        "assert not {'numpy', 'scipy'} & (set(sys.modules) - before), 'imported by benchmarks'; "
        "import portal.asgi, portal.urls; "
        "assert 'scipy' not in sys.modules, 'imported by the site'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_processes_of_one_length_and_of_several_are_described_alike() -> None:
    even = describe([[1.0, 2.0, 4.0], [3.0, 5.0, 9.0]], key="x")
    ragged = describe([[1.0, 2.0, 4.0], [3.0, 5.0, 9.0], [7.0]], key="x")
    expected = np.median([np.std(one, ddof=1) / np.mean(one) for one in ([1, 2, 4], [3, 5, 9])])
    assert even.within == pytest.approx(expected)
    assert ragged.within == pytest.approx(expected)
    assert even.median == 3.5
    assert describe([[0.0, 0.0], [0.0, 0.0]], key="x").within is None


@pytest.mark.parametrize("direction", ["lower", "higher"])
def test_what_no_float_holds_is_not_called_a_ratio(direction: Direction) -> None:
    tiny = [single([value] * 5) for value in (5e-324, 1e-310)]
    huge, mixed = single([1e15] * 5), single([5e-324, 5e-324, 5e-324, 1e15, 1e15])
    for ours, theirs in itertools.permutations([*tiny, huge, mixed], 2):
        found = contrast(Side(ours, "a"), Side(theirs, "b"), direction=direction)
        if found is not None:
            numbers = [found.ratio, found.low, found.high, found.p, found.delta, found.floor]
            assert all(math.isfinite(value) for value in numbers if value is not None)
    for samples in (*tiny, huge, mixed):
        told = describe(samples, key="x")
        assert told.between is None or math.isfinite(told.between)
