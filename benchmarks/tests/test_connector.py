"""A connector over its versions: lines, change points, marks."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from benchmarks import tasks
from benchmarks.actions.decision import withdraw_run
from benchmarks.actions.line import compute_line, forget_lines
from benchmarks.actions.upload import Said, upload_run
from benchmarks.models import ChangeMark, Line, Result, Run, Trust
from benchmarks.models.queue import KEPT, MOST_ATTEMPTS, PAUSE
from benchmarks.series import version_order
from benchmarks.tests.uploads import native
from portal.accounts.models import User
from portal.lib.models import AuditEntry

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
PLACE = "/benchmarks/connectors/connector_c/"
ALL = f"{PLACE}?trust=all"


@pytest.fixture(autouse=True)
def _no_counts_of_others() -> None:
    cache.clear()


def measured(
    actor: User, levels: Sequence[float], *, uid: int = 1, first: int = 1, **more: Any
) -> Run:
    """A run of versions 3.1.0, 3.2.0 ... at these levels, described."""
    sent = native([[1.0]], uid=uid, **more)
    [one] = sent["results"]
    sent["results"] = [
        {
            **one,
            "subject": {"name": "Connector/C", "version": f"3.{first + at}.0"},
            "samples": [[level * (1 + (n * 7 + at) % 5 / 1000)] * 3 for n in range(10)],
        }
        for at, level in enumerate(levels)
    ]
    raw = json.dumps(sent).encode()
    run = upload_run(actor=actor, raw=raw, said=Said(), at=timezone.now()).run
    tasks.compute_run(run.pk)
    return run


STEP = [1000.0] * 6 + [1300.0] * 6


def test_a_step_is_found_by_the_worker_and_told_in_words(client: Client, charlie: User) -> None:
    measured(charlie, STEP)
    first = client.get(ALL).content.decode()
    assert "changes are being searched" in first
    tasks.compute_due()
    text = client.get(ALL).content.decode()
    assert "faster, 1.30×" in text
    assert "changes are being searched" not in text
    assert text.index("3.6.0") < text.index("3.10.0")  # by number, not by letter


def test_a_worse_step_is_called_slower(client: Client, charlie: User) -> None:
    measured(charlie, STEP[::-1])
    client.get(ALL)
    tasks.compute_due()
    assert "slower, 0.7" in client.get(ALL).content.decode()


def test_seven_versions_are_drawn_and_not_searched(client: Client, charlie: User) -> None:
    measured(charlie, STEP[:7])
    text = client.get(ALL).content.decode()
    assert "searched from 8 versions on" in text
    assert "<svg" in text
    assert not Line.objects.exists()


def test_by_default_only_what_our_runner_made_is_drawn(client: Client, charlie: User) -> None:
    run = measured(charlie, STEP[:2])
    assert "No results of our runner" in client.get(PLACE).content.decode()
    run.results.filter(version="3.1.0").update(trust=Trust.OUR_RUNNER)
    text = client.get(PLACE).content.decode()
    assert "3.1.0" in text
    assert "3.2.0" not in text


def test_of_one_version_the_newest_of_the_highest_trust_is_the_point(
    client: Client, charlie: User
) -> None:
    low = measured(charlie, [1000], first=1, uid=1)
    high = measured(charlie, [2000], first=1, uid=2)
    newer = measured(charlie, [3000], first=1, uid=3)
    Result.objects.filter(run__in=[low, high]).update(trust=Trust.OUR_RUNNER)
    text = client.get(ALL).content.decode()
    assert str(high.uid) in text
    assert str(newer.uid) not in text
    assert "2 more results" in text


def test_other_conditions_are_another_line(client: Client, charlie: User) -> None:
    measured(charlie, [1000], first=1, uid=1, params={"transport": "tcp"})
    measured(charlie, [1000], first=2, uid=2, params={"transport": "unix"})
    measured(charlie, [1000], first=3, uid=3, environment={})
    measured(charlie, [1000], first=4, uid=4, environment={})
    answer = client.get(f"{ALL}&format=json").json()
    assert [len(one["points"]) for one in answer["series"]] == [1, 1, 1, 1]


def test_a_withdrawn_run_leaves_the_line(client: Client, charlie: User) -> None:
    run = measured(charlie, [1000])
    measured(charlie, [1000], first=2, uid=2)
    withdraw_run(actor=charlie, run=run)
    assert "3.1.0" not in client.get(ALL).content.decode()


def test_the_same_for_programs(client: Client, charlie: User) -> None:
    measured(charlie, STEP)
    client.get(ALL)
    tasks.compute_due()
    [series] = client.get(f"{ALL}&format=json").json()["series"]
    assert series["search"] == "searched"
    [change] = [one for one in series["points"] if one["change"]]
    assert change["version"] == "3.7.0"
    assert change["change"] == pytest.approx(1.3, rel=0.01)
    text = client.get(f"{ALL}&format=csv").content.decode()
    assert text.count("\n") == 13


def test_staff_mark_a_change_and_the_page_says_why(
    client: Client, charlie: User, frank: User, client_for: SignIn
) -> None:
    measured(charlie, STEP)
    client.get(ALL)
    tasks.compute_due()
    [series] = client.get(f"{ALL}&format=json").json()["series"]
    said = {"series": series["key"], "version": "3.7.0", "finding": "explained"}
    staff = client_for(frank)
    staff.post(f"{PLACE}mark/", {**said, "reason": " "})
    assert not ChangeMark.objects.exists()
    answer = staff.post(f"{PLACE}mark/", {**said, "reason": "new protocol", "back": "trust=all"})
    assert answer["Location"] == ALL
    assert "explained: new protocol" in client.get(ALL).content.decode()
    staff.post(f"{PLACE}mark/", {**said, "finding": "false", "reason": "the machine changed"})
    assert "no real change: the machine changed" in client.get(ALL).content.decode()
    assert AuditEntry.objects.filter(verb="benchmark_change.mark").count() == 2
    marked = client.get(f"{ALL}&format=json").json()["series"][0]["points"][6]
    assert marked["mark"] == "false"
    assert str(ChangeMark.objects.get()) == "connector_c 3.7.0: no real change"


def test_a_version_that_nobody_measured_cannot_be_marked(frank: User, client_for: SignIn) -> None:
    assert client_for(frank).post(f"{PLACE}mark/", {"version": "9"}).status_code == 404


def test_a_case_or_a_connector_that_is_not_there_is_not_found(
    client: Client, charlie: User
) -> None:
    assert client.get(PLACE).status_code == 404
    measured(charlie, [1000], first=1, uid=1)
    assert client.get(f"{ALL}&case=connectors:other").status_code == 404
    assert client.get(f"{ALL}&case=connectors:select_1").status_code == 200


def test_a_search_that_keeps_failing_is_given_up(client: Client, charlie: User) -> None:
    measured(charlie, STEP)
    client.get(ALL)
    Line.objects.update(attempts=MOST_ATTEMPTS)
    assert "failed several times" in client.get(ALL).content.decode()


def test_a_line_is_computed_once_and_forgotten_later(client: Client, charlie: User) -> None:
    measured(charlie, STEP)
    client.get(ALL)
    line, now = Line.objects.get(), timezone.now()
    assert str(line) == line.digest[:12]
    assert compute_line(line_id=line.pk, at=now)
    assert not compute_line(line_id=line.pk, at=now + PAUSE)
    assert forget_lines(at=now) == 0
    assert forget_lines(at=now + 2 * KEPT) == 1


def test_an_address_that_asks_for_much_waits(
    client: Client, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.throttle.COMPARISONS", 1)
    measured(charlie, STEP)
    client.get(ALL)
    assert Line.objects.count() == 1
    measured(charlie, STEP, uid=2, first=20)  # more versions: another line
    assert "changes are being searched" in client.get(ALL).content.decode()
    assert Line.objects.count() == 1


def test_a_longer_line_asks_no_more_queries(
    client: Client, charlie: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    measured(charlie, STEP)
    client.get(ALL)
    tasks.compute_due()
    with django_assert_max_num_queries(8):
        client.get(ALL)


def test_versions_of_any_maker_have_an_order() -> None:
    mixed = ["1.10", "1.9", "2.0", "2.0-rc1", "", "5.1.24", "v9", "1.9a"]
    assert sorted(mixed, key=version_order) == [
        "",
        "1.9a",
        "1.9",
        "1.10",
        "2.0-rc1",
        "2.0",
        "5.1.24",
        "v9",
    ]
