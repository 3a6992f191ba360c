"""Which results of two selections are held against each other, and when nothing is said of them."""

from typing import Any

import pytest

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


def test_what_differs_throughout_is_what_is_compared(charlie: User) -> None:
    def subject(name: str, transport: str, rate: float) -> list[dict[str, Any]]:
        return [
            {
                **native([[rate]] * 5, params={"transport": transport, "thread": thread})[
                    "results"
                ][0],
                "subject": {"name": name},
            }
            for thread in ("main", "worker")
        ]

    content = native([[1.0]] * 5)
    content["results"] = [*subject("Embedded", "embedded", 9.0), *subject("Client", "unix", 3.0)]
    run = upload(charlie, content)
    rows = compared(Selection(run.uid, "embedded"), Selection(run.uid, "client"))
    assert [row["params"]["thread"] for row in rows] == ["main", "worker"]
