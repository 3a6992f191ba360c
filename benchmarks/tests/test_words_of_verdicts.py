"""What a finding says beside its word: how far it could be, and what it would take."""

from typing import Any

import pytest

from benchmarks import words

ROW: dict[str, Any] = {
    "reason": "",
    "verdict": "not_shown",
    "low": 0.95,
    "high": 1.08,
    "sure": False,
    "detectable": 0.07,
    "needed": 120,
    "effect": "small",
    "metric": "throughput",
}


def test_no_difference_shown_says_how_far_and_what_it_takes() -> None:
    assert words.verdict(ROW) == "no difference shown"
    assert words.verdict_note(ROW) == (
        "could be from −5 % to +8 %; 7 % would have been seen; 2 % takes about 120 processes a side"
    )


def test_where_two_percent_would_have_been_seen_nothing_more_is_asked() -> None:
    assert words.verdict_note({**ROW, "detectable": 0.02}) == "could be from −5 % to +8 %"


def test_a_sure_difference_that_is_too_small_is_told_as_that() -> None:
    note = words.verdict_note({**ROW, "low": 1.005, "high": 1.015, "sure": True})
    assert note == "could be from +0.5 % to +1.5 %; surely there, but not above 2 % or the noise"


@pytest.mark.parametrize(
    ("ratio", "direction", "metric", "told"),
    [
        (1.25, "higher", "throughput", "faster, 1.25×"),
        (1.25, "lower", "latency", "slower, 0.80×"),
        (0.5, "lower", "memory", "better, 2.00×"),
        (0.5, "higher", "ratio", "worse, 0.50×"),
    ],
)
def test_a_step_is_told_as_speed(ratio: float, direction: str, metric: str, told: str) -> None:
    assert words.step(ratio, direction=direction, metric=metric) == told
