import numpy as np
import pytest

from benchmarks.statistics.changes import WRONG_CHANGE, change_points


def line(*levels: tuple[float, int], scatter: float = 0.01, seed: int = 1) -> list[float]:
    """A line with these levels for so many points each."""
    generator = np.random.default_rng(seed)
    return [
        level * float(np.exp(generator.normal(0, scatter)))
        for level, count in levels
        for _ in range(count)
    ]


def places(values: list[float]) -> list[int]:
    return [one.at for one in change_points(values)]


def test_a_step_is_found_where_it_is_with_its_size() -> None:
    [found] = change_points(line((100, 6), (120, 6)))
    assert found.at == 6
    assert found.ratio == pytest.approx(1.2, rel=0.02)
    assert found.p < 0.001


def test_several_steps_and_a_hump_are_found() -> None:
    assert places(line((100, 8), (130, 8), (90, 8))) == [8, 16]
    assert places(line((100, 10), (130, 4), (100, 10))) == [10, 14]


def test_a_line_without_a_step_shows_none() -> None:
    assert places(line((100, 30))) == []
    assert places([100.0] * 12) == []


def test_a_single_odd_version_is_no_change_and_two_are() -> None:
    assert places(line((100, 8), (200, 1), (100, 8))) == []
    assert places(line((100, 8), (200, 1))) == []
    assert places(line((100, 10), (200, 2))) == [10]


def test_fewer_than_eight_points_are_not_searched() -> None:
    assert places(line((100, 3), (200, 4))) == []
    assert places(line((100, 4), (200, 4))) == [4]


def test_a_sure_step_of_two_percent_or_less_is_none() -> None:
    assert places(line((100, 10), (101.5, 10), scatter=0.0001)) == []
    assert places(line((100, 10), (103, 10), scatter=0.0001)) == [10]


def test_values_that_do_not_scatter_change_exactly() -> None:
    assert places([100.0] * 5 + [200.0] * 5) == [5]


def test_values_that_have_no_logarithm_are_not_searched() -> None:
    assert places([0.0] * 5 + [200.0] * 5) == []


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_the_unit_moves_no_change(factor: float) -> None:
    values = line((100, 8), (130, 8), (90, 8), scatter=0.03)
    assert places([one * factor for one in values]) == places(values)
    assert places([1 / one for one in values]) == places(values)


@pytest.mark.proof
@pytest.mark.parametrize("points", [8, 12, 20, 40])
def test_lines_without_a_change_show_one_as_seldom_as_promised(points: int) -> None:
    generator = np.random.default_rng(points)
    lines = np.exp(generator.normal(0, 0.05, size=(400, points))).tolist()
    assert sum(bool(change_points(one)) for one in lines) <= WRONG_CHANGE * len(lines)


@pytest.mark.proof
def test_a_step_of_ten_percent_is_found_in_noise_of_two() -> None:
    found = [places(line((100, 10), (110, 10), scatter=0.02, seed=at)) for at in range(200)]
    assert sum(one == [10] for one in found) >= 180
