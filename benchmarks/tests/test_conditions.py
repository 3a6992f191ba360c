"""What must agree before anything is said, and what has no place in an order."""

from typing import Any

import pytest

from benchmarks.conditions import panel, series_key, unranked, withheld
from benchmarks.models import Case, Result, Run, Statistics, Trust
from benchmarks.templatetags.measures import noise_in_words, unranked_in_words

SERVER = {"server": {"product": "mariadb", "version": "11.8.9"}}


def result(
    *, processes: int = 10, machine: str = "m", environment: Any = None, **of: Any
) -> Result:
    """A result that is not saved, with its statistics."""
    run = Run(machine=machine, environment=SERVER if environment is None else environment)
    run.pk = of.pop("run", 1)
    case = Case(definition_hash=of.pop("definition", "d"))
    one = Result(run=run, case=case, case_slug="do_1", metric="latency", unit="s", **of)
    one.trust = Trust.SIGNED_IN
    one.statistics = Statistics(processes=processes, samples=processes * 5, median=1.0)
    return one


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({}, ""),
        ({"processes": 4}, "few"),
        ({"processes": 0}, "summary"),
        ({"definition": "e"}, "definition"),
        ({"run": 2, "machine": "n"}, "machine"),
        ({"run": 2, "machine": ""}, "machine_unknown"),
        ({"environment": {"server": {"product": "mariadb", "version": "12.3.1"}}}, "server"),
        ({"params": {"cpu_placement": "same"}}, "parameters"),
        ({"params": {"cpu_placement": "unknown"}}, ""),
        ({"params": {"tls": True}}, "parameters"),
        ({"params": {"threads": 4}}, "parameters"),
        ({"params": {"threads": 1}}, ""),
    ],
)
def test_only_the_same_key_gets_a_verdict(other: dict[str, Any], reason: str) -> None:
    assert withheld(result(), result(**other)) == reason
    assert withheld(result(**other), result()) == reason


def test_a_panel_names_both_values_where_the_sides_differ() -> None:
    found = panel(result(), result(params={"tls": True, "cpu_placement": "Same"}))
    assert found["tls"] == ["unknown", "true"]
    assert found["cpu_placement"] == ["unknown", "same"]
    assert found["server"] == ["mariadb 11.8"]


def test_few_processes_and_an_unknown_placement_have_no_place_in_an_order() -> None:
    pinned = {"cpu_placement": "same"}
    assert unranked(result(params=pinned)) == ""
    assert unranked(result(params=pinned, processes=9)) == "few_to_rank"
    assert unranked(result(params=pinned, processes=0)) == "summary"
    assert unranked(result()) == "placement"
    assert unranked_in_words(result()) == "CPU placement is not known: no place in an order"
    assert unranked_in_words(result(params=pinned)) == ""


def test_a_series_of_an_open_suite_has_no_definition() -> None:
    one, other = result(), result()
    one.case = other.case = None
    assert series_key(one) == series_key(other)
    assert series_key(one) != series_key(result(machine=""))


def test_a_grade_of_noise_has_words() -> None:
    assert noise_in_words("A") == "A: processes differ by 1 % or less"
    assert noise_in_words("") == ""
