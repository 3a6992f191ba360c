"""Which results of two selections are held against each other, and when nothing is said of them."""

from typing import Any

import pytest

from benchmarks.actions import comparison
from benchmarks.selections import Selection
from benchmarks.tests.asking import compared, upload
from benchmarks.tests.uploads import ENVIRONMENT, native
from portal.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"environment": {}}, "machine_unknown"),
        ({"environment": {**ENVIRONMENT, "memory_bytes": 64 * 10**9}}, "machine"),
        (
            {"environment": {**ENVIRONMENT, "server": {"product": "mysql", "version": "8.4.1"}}},
            "server",
        ),
        ({"params": {"cpu_placement": "same"}}, "parameters"),
        ({"samples": [[2.0]] * 4}, "few"),
        ({"environment": {**ENVIRONMENT, "os": {"kernel": "6.2"}}}, ""),
    ],
)
def test_no_verdict_where_the_conditions_differ(
    charlie: User, change: dict[str, Any], reason: str
) -> None:
    one = upload(charlie, native([[1.0]] * 5, uid=1))
    other = upload(charlie, native(**{"samples": [[2.0]] * 5, "uid": 2, **change}))
    (row,) = compared(Selection(one.uid), Selection(other.uid))
    assert row["reason"] == reason
    assert (row["verdict"] == "none") == bool(reason)


def test_results_with_other_parameters_are_not_paired(charlie: User) -> None:
    content = native([[1.0]] * 5)
    second = {**content["results"][0], "params": {"transport": "unix"}}
    content["results"].append(second)
    run = upload(charlie, content)
    other = upload(charlie, native([[2.0]] * 5, uid=2))
    assert len(compared(Selection(run.uid), Selection(other.uid))) == 1
    slug = run.results.all()[0].subject_slug
    (row,) = compared(Selection(run.uid, slug, 0), Selection(run.uid, slug, 1))
    assert row["params"] == {}


def test_what_the_sides_have_not_in_common_is_what_is_compared(charlie: User) -> None:
    def results(name: str, *params: dict[str, str]) -> list[dict[str, Any]]:
        return [
            {**native([[1.0]] * 5, params=one)["results"][0], "subject": {"name": name}}
            for one in params
        ]

    content = native([[1.0]] * 5)
    embedded = [{"transport": "embedded", "thread": thread} for thread in ("main", "worker")]
    client = [{"transport": transport} for transport in ("tcp", "unix")]
    content["results"] = [*results("Embedded", *embedded), *results("Client", *client)]
    run = upload(charlie, content)
    rows = compared(Selection(run.uid, "embedded"), Selection(run.uid, "client"))
    assert [(row["params"]["thread"], row["against"]) for row in rows] == [
        ("main", {"transport": "tcp"}),
        ("main", {"transport": "unix"}),
        ("worker", {"transport": "tcp"}),
        ("worker", {"transport": "unix"}),
    ]


def test_large_runs_meet_only_where_all_parameters_are_the_same(
    charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = upload(charlie, native([[1.0]] * 5, uid=1, params={"transport": "tcp"}))
    other = upload(charlie, native([[2.0]] * 5, uid=2, params={"transport": "unix"}))
    monkeypatch.setattr(comparison, "MOST_MEETINGS", 0)
    assert compared(Selection(one.uid), Selection(other.uid)) == []
