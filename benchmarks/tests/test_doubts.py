"""Flags beside statistics, and results that another uploader has reproduced."""

import json
from typing import Any

import pytest
from django.utils import timezone

from benchmarks import tasks
from benchmarks.actions.decision import claim_run, withdraw_run
from benchmarks.actions.upload import Said, upload_run
from benchmarks.models import Run, Statistics, Trust
from benchmarks.suites import ready_suites
from benchmarks.tests.test_pages import upload
from benchmarks.tests.uploads import ENVIRONMENT, hyperfine, native
from benchmarks.trust.ladder import RUNNER
from portal.accounts.actions.role import grant_role
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope

pytestmark = pytest.mark.django_db


def samples(middle: float) -> list[list[float]]:
    return [[middle + step] for step in (-2.0, -1.0, 0.0, 1.0, 2.0)]


def measured(uid: int, middle: float, **changed: Any) -> dict[str, Any]:
    """A run of one connector in one version, whoever uploads it."""
    data = native(samples(middle), uid=uid)
    data["results"][0]["subject"]["version"] = "3.4"
    data["results"][0].update(changed)
    return data


def speaks_for(user: User, organisation: str) -> None:
    scope = {"scope_kind": Scope.ORGANISATION, "scope_slug": organisation}
    grant_role(actor=None, user=user, role=Role.TECHNICAL, **scope)  # type: ignore[arg-type]


def flags_of(run: Run) -> list[str]:
    found: list[str] = Statistics.objects.get(result__run=run).flags
    return found


def rungs(*runs: Run) -> list[int]:
    return [run.results.get().trust for run in runs]


def test_another_uploader_within_the_interval_reproduces_in_both_directions(
    charlie: User, bob: User
) -> None:
    first = upload(charlie, measured(1, 100.0))
    assert rungs(first) == [Trust.SIGNED_IN]
    own = upload(charlie, measured(2, 100.5))
    far = upload(bob, measured(3, 110.0))
    assert rungs(first, own, far) == [Trust.SIGNED_IN] * 3
    second = upload(bob, measured(4, 100.2))
    assert rungs(first, own, second) == [Trust.REPRODUCED] * 3
    assert first.results.get().reproduced_by == second
    assert Run.objects.get(pk=first.pk).trust == Trust.SIGNED_IN


def test_what_is_withdrawn_has_reproduced_nothing(charlie: User, bob: User) -> None:
    first, second = upload(charlie, measured(1, 100.0)), upload(bob, measured(2, 100.2))
    withdraw_run(actor=bob, run=second)
    assert rungs(first) == [Trust.SIGNED_IN]
    assert first.results.get().reproduced_by is None


def test_another_who_reproduced_it_too_takes_the_place_of_a_withdrawn_run(
    charlie: User, bob: User, dana: User
) -> None:
    first, second = upload(charlie, measured(1, 100.0)), upload(bob, measured(2, 100.2))
    third = upload(dana, measured(3, 100.1))
    withdraw_run(actor=bob, run=second)
    assert rungs(first) == [Trust.REPRODUCED]
    assert first.results.get().reproduced_by == third


def test_a_claimed_run_reproduces_and_is_reproduced(charlie: User, bob: User) -> None:
    first = upload(charlie, measured(1, 100.0))
    raw = json.dumps(measured(2, 100.2)).encode()
    kept = upload_run(actor=None, raw=raw, said=Said(), at=timezone.now())
    tasks.compute_run(kept.run.pk)
    assert rungs(first) == [Trust.SIGNED_IN]
    assert claim_run(actor=bob, run=kept.run, token=kept.claim)
    assert rungs(first, kept.run) == [Trust.REPRODUCED] * 2


def test_colleagues_do_not_reproduce_each_other(charlie: User, bob: User, dana: User) -> None:
    for one in (charlie, bob):
        speaks_for(one, "acme")
    runs = [upload(one, measured(at, 100.0 + at / 10)) for at, one in enumerate((charlie, bob), 1)]
    assert rungs(*runs) == [Trust.SIGNED_IN] * 2
    speaks_for(dana, "another")
    upload(dana, measured(3, 100.3))
    assert rungs(*runs) == [Trust.REPRODUCED] * 2


@pytest.mark.parametrize(
    "changed",
    [
        {"params": {"tls": True}},
        {"subject": {"name": "Connector/C", "version": "3.5"}},
        {"metric": "latency", "unit": "ms"},
    ],
)
def test_another_key_reproduces_nothing(charlie: User, bob: User, changed: dict[str, Any]) -> None:
    first = upload(charlie, measured(1, 100.0))
    second = upload(bob, measured(2, 100.2, **changed))
    assert rungs(first, second) == [Trust.SIGNED_IN] * 2


def test_neither_a_copy_nor_a_stranger_nor_an_unknown_machine_reproduces(
    charlie: User, bob: User
) -> None:
    first = upload(charlie, measured(1, 100.0))
    copy = upload(bob, measured(2, 100.0))
    upload(None, measured(3, 100.3))
    assert rungs(first, copy) == [Trust.SIGNED_IN] * 2
    assert "duplicate" in flags_of(copy)
    assert "duplicate" not in flags_of(first)
    unknown = [measured(4, 100.1), measured(5, 100.2)]
    runs = [
        upload(user, {**data, "environment": {}})
        for user, data in zip((charlie, bob), unknown, strict=True)
    ]
    assert rungs(*runs) == [Trust.SIGNED_IN] * 2


def test_a_result_far_from_the_others_of_its_key_is_flagged(charlie: User) -> None:
    runs = [upload(charlie, measured(at, 100.0 + at)) for at in range(1, 7)]
    assert not any("outlier" in flags_of(run) for run in runs)
    assert "outlier" in flags_of(upload(charlie, measured(9, 200.0)))


def test_noise_evidence_and_order_are_flagged(charlie: User) -> None:
    data = measured(
        1,
        400_000.0,
        case="do_1",
        params={"prepare": "server"},
        evidence={"questions_per_op": 2.0, "stmt_execute_per_op": 0.0},
    )
    noise = {"foreign_cpu_share": 0.5, "steal_share": 0.1}
    server = {**ENVIRONMENT["server"], "variables": {"sync_binlog": 1000}}
    data["environment"] = {**ENVIRONMENT, "noise": noise, "server": server}
    data["run"]["order"] = "sequential"
    run = upload(charlie, data)
    expected = {"sequential", "foreign_cpu", "steal", "tuned", "questions", "not_prepared"}
    assert {*expected, "too_fast"} <= set(flags_of(run))
    assert run.tags == ["tuned"]


def test_samples_that_no_clock_measures_are_flagged(charlie: User) -> None:
    same, other = [1.0, 1.1, 0.9, 1.0, 1.05], [1.0] * 5
    run = upload(charlie, hyperfine(same, same, other, [1.2, 1.3, 1.1, 1.2, 1.25]))
    marked = [
        "identical_samples" in one.flags
        for one in Statistics.objects.filter(result__run=run).order_by("result__position")
    ]
    assert marked == [True, True, True, False]


def test_a_run_of_our_runner_with_hash_and_evidence_stands_on_its_own_rung(
    charlie: User,
) -> None:
    case = next(one for one in ready_suites()["connectors"].cases if one.slug == "select_1")
    data = measured(1, 100.0, case_sha256=case.hash, evidence={"questions_per_op": 1.0})
    data["run"]["tool"]["name"] = RUNNER
    assert rungs(upload(charlie, data)) == [Trust.OUR_RUNNER]
    data["run"]["id"] = data["run"]["id"].replace("8000", "8001")
    data["results"][0]["case_sha256"] = "0" * 64
    assert rungs(upload(charlie, data)) == [Trust.SIGNED_IN]
