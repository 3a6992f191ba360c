"""What may stand in an environment variable, and what is refused with its name."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from portal import environment


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("24", 2400), ("25.", 2500), ("25.5", 2550), ("8.10", 810), (" 0.05 ", 5)],
)
def test_a_rate_is_read_as_hundredths(
    monkeypatch: pytest.MonkeyPatch, text: str, value: int
) -> None:
    monkeypatch.setenv("RATE", text)
    assert environment.hundredths("RATE", "0") == value


@pytest.mark.parametrize("text", ["", "25,5", "25.555", "-1", "twenty"])
def test_a_rate_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("RATE", text)
    with pytest.raises(ImproperlyConfigured, match="RATE must be a number"):
        environment.hundredths("RATE", "0")


@pytest.mark.parametrize(("text", "values"), [("90, 30", [90, 30]), ("", []), (" 7 ", [7])])
def test_numbers_stand_between_commas(
    monkeypatch: pytest.MonkeyPatch, text: str, values: list[int]
) -> None:
    monkeypatch.setenv("DAYS", text)
    assert environment.numbers("DAYS", "1") == values


def test_a_list_with_something_else_in_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAYS", "90, soon")
    with pytest.raises(ImproperlyConfigured, match="DAYS must be whole numbers"):
        environment.numbers("DAYS", "1")
