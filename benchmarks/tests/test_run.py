import datetime as dt
import uuid
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from benchmarks import tasks, throttle
from benchmarks.actions import statistics
from benchmarks.actions.comparison import ask_comparison, compute_comparison
from benchmarks.actions.decision import accept_run, reject_run, withdraw_run
from benchmarks.actions.run import RunIdTakenError
from benchmarks.actions.statistics import compute_statistics
from benchmarks.actions.suite import define_suite
from benchmarks.documents import RefusedError
from benchmarks.models import Comparison, Original, Result, Run, Samples, State, Statistics, Suite
from benchmarks.models.queue import MOST_ATTEMPTS
from benchmarks.selections import Selection, parse
from benchmarks.sending import comparison_address
from benchmarks.statistics import Description, describe
from benchmarks.suites import CaseDefinition, SuiteDefinition, ready_suites
from benchmarks.tests.asking import NOW, compared, upload
from benchmarks.tests.uploads import ENVIRONMENT, hyperfine, native
from portal.accounts.models import User
from portal.lib.models import AuditEntry

pytestmark = pytest.mark.django_db


def test_an_upload_is_kept_whole(charlie: User) -> None:
    run = upload(charlie, hyperfine([1.0, 2, 3, 4, 5], [2.0, 3, 4, 5, 6]))
    assert run.state == State.PUBLISHED
    assert run.suite.slug == "commands"
    first, second = run.results.all()
    assert (first.subject, first.subject_slug) == ("command 0", "command_0")
    assert first.case is not None
    assert first.case.name == "Whole command"
    assert second.samples.processes() == [[2.0], [3.0], [4.0], [5.0], [6.0]]
    assert b"command 0" in run.original.content()
    entry = AuditEntry.objects.get(verb="benchmark_run.upload")
    assert entry.actor == charlie


def test_processes_of_different_length_come_back_as_they_were(charlie: User) -> None:
    samples = [[1.0], [2.0, 3.0, 4.0], [5.0, 6.0]]
    run = upload(charlie, native(samples))
    assert Samples.objects.get(result__run=run).processes() == samples


def test_a_stranger_without_an_account_waits_in_quarantine(charlie: User, frank: User) -> None:
    run = upload(None, hyperfine([1.0] * 5))
    assert run.state == State.QUARANTINE
    assert run not in Run.objects.visible_to(charlie)
    assert run in Run.objects.visible_to(frank)
    assert accept_run(actor=frank, run=run)
    assert run in Run.objects.visible_to(charlie)
    assert not accept_run(actor=frank, run=run)
    assert AuditEntry.objects.filter(verb="benchmark_run.accept").count() == 1


def test_a_rejected_run_is_seen_by_staff_only(charlie: User, frank: User) -> None:
    run = upload(None, hyperfine([1.0] * 5))
    assert reject_run(actor=frank, run=run, reason="not a measurement")
    assert run not in Run.objects.visible_to(charlie)
    assert run in Run.objects.visible_to(frank)


def test_a_withdrawn_run_stays_visible_and_leaves_the_lists(charlie: User, frank: User) -> None:
    run = upload(charlie, hyperfine([1.0] * 5))
    assert withdraw_run(actor=frank, run=run)
    assert run in Run.objects.visible_to(charlie)
    assert run not in Run.objects.published()
    assert not Result.objects.published().exists()


def test_the_same_run_id_again_is_answered_with_the_first_run(charlie: User, dana: User) -> None:
    first = upload(charlie, native([[1.0]]))
    again = upload(charlie, native([[7.0]]))
    assert again == first
    assert upload(dana, native([[1.0]])) == first  # the same file, by whomever
    with pytest.raises(RunIdTakenError):
        upload(dana, native([[8.0]]))
    assert Run.objects.count() == Original.objects.count() == 1


def test_an_id_of_nobody_answers_only_the_same_file(charlie: User) -> None:
    first = upload(None, native([[1.0]]))
    assert upload(None, native([[1.0]])) == first
    for actor in (None, charlie):
        with pytest.raises(RunIdTakenError):
            upload(actor, native([[2.0]]))


def test_a_file_without_an_id_is_one_run_for_one_person(charlie: User, dana: User) -> None:
    content = hyperfine([1.0] * 5)
    assert upload(charlie, content) == upload(charlie, content)
    assert upload(dana, content) != upload(charlie, content)


def test_two_at_once_with_one_id_become_one_run(
    charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = upload(charlie, native([[1.0]]))
    from benchmarks.actions import run as module

    real, answers = module._earlier, [None]
    monkeypatch.setattr(module, "_earlier", lambda *all: answers.pop() if answers else real(*all))
    assert upload(charlie, native([[1.0]])) == first
    assert Result.objects.count() == 1


def test_what_the_sender_says_completes_the_file(charlie: User) -> None:
    uid = uuid.uuid4()
    run = upload(
        charlie,
        hyperfine([1.0] * 5),
        run_id=uid,
        suite="connectors",
        title="Night run of /home/eve/build",
        environment={**ENVIRONMENT, "os": {"name": "Debian"}},
        subjects={"command 0": ("Connector/C", "3.4.8")},
    )
    assert run.uid == uid
    assert run.title == "Night run of build"
    assert run.machine
    assert run.suite.slug == "connectors"
    assert run.results.get().label == "Connector/C 3.4.8"


def test_an_environment_is_held_to_the_same_schema(charlie: User) -> None:
    with pytest.raises(RefusedError) as caught:
        upload(charlie, hyperfine([1.0] * 5), environment={"cpu": {"cores": 0}})
    assert caught.value.place == "/environment/cpu/cores"
    with pytest.raises(RefusedError, match="no suite"):
        upload(charlie, hyperfine([1.0] * 5), suite="nonsense")
    assert not Run.objects.exists()


def test_subjects_with_similar_names_get_their_own_addresses(charlie: User) -> None:
    run = upload(charlie, hyperfine([1.0], [1.0], names=["a b", "A  b!"]))
    assert [one.subject_slug for one in run.results.all()] == ["a_b", "a_b-2"]


def test_statistics_are_computed_once_and_kept(charlie: User) -> None:
    run = upload(charlie, native([[1.0, 3.0], [2.0], [9.0, 9.0, 9.0]]))
    assert compute_statistics(run_id=run.pk, at=NOW)
    assert not compute_statistics(run_id=run.pk, at=NOW)
    found = Statistics.objects.get()
    assert found.median == 2
    assert (found.processes, found.samples) == (3, 6)
    assert found.flags == ["few_processes", "wild"]
    assert found.low is None


def test_the_sweep_computes_what_a_lost_message_missed(charlie: User) -> None:
    run = upload(charlie, hyperfine([1.0] * 5, [2.0] * 5))
    tasks.compute_due()
    run.refresh_from_db()
    assert run.computed_at is not None
    assert Statistics.objects.count() == 2


def test_a_summary_has_a_headline_and_no_interval(charlie: User) -> None:
    content = {"results": [{"command": "x", "mean": 0.5, "median": 0.4, "min": 0.1, "max": 2.0}]}
    run = upload(charlie, content)
    tasks.compute_run(run.pk)
    found = Statistics.objects.get()
    assert found.is_summary
    assert (found.median, found.minimum, found.low) == (0.4, 0.1, None)
    assert found.half_width is None


def test_a_result_that_failed_has_no_number(charlie: User) -> None:
    content = hyperfine([1.0] * 5)
    content["results"][0]["exit_codes"] = [1] * 5
    run = upload(charlie, content)
    tasks.compute_run(run.pk)
    assert run.results.get().error
    assert not Statistics.objects.exists()


def test_a_do_1_beyond_the_possible_is_flagged(charlie: User) -> None:
    run = upload(charlie, native([[400_000.0]] * 5, case="do_1"))
    tasks.compute_run(run.pk)
    assert "too_fast" in Statistics.objects.get().flags


def test_two_commands_of_one_run_are_compared(charlie: User) -> None:
    run = upload(charlie, hyperfine([1.0, 1.1, 0.9, 1.0, 1.05], [2.0, 2.2, 1.8, 2.0, 2.1]))
    (row,) = compared(Selection(run.uid, "command_0"), Selection(run.uid, "command_1"))
    assert row["verdict"] == "better"
    assert row["ratio"] == 2
    assert row["low"] > 1.5
    assert row["high"] < 2.5
    (turned,) = compared(Selection(run.uid, "command_1"), Selection(run.uid, "command_0"))
    assert turned["verdict"] == "worse"


def test_an_answer_is_kept_and_not_computed_twice(charlie: User) -> None:
    run = upload(charlie, hyperfine([1.0] * 5, [2.0] * 5))
    sides = Selection(run.uid, "command_0"), Selection(run.uid, "command_1")
    compared(*sides)
    compared(*sides)
    assert Comparison.objects.count() == 1
    assert not compute_comparison(comparison_id=Comparison.objects.get().pk, at=NOW)


def test_a_comparison_waits_for_the_statistics(charlie: User) -> None:
    run = upload(charlie, hyperfine([1.0] * 5, [2.0] * 5))
    asked = ask_comparison(a=Selection(run.uid, "command_0"), b=Selection(run.uid, "command_1"))
    tasks.compare(asked.pk)
    asked.refresh_from_db()
    assert asked.computed_at is None


def test_a_definition_that_changed_is_a_new_version(frank: User) -> None:
    def definition(**case: Any) -> SuiteDefinition:
        one = CaseDefinition("do_1", "DO 1", "op/s", "higher", case)
        return SuiteDefinition("own", "Own", "Ours.", [one])

    suite = define_suite(actor=frank, definition=definition(query="DO 1"))
    define_suite(actor=frank, definition=definition(query="DO 1"))
    define_suite(actor=frank, definition=definition(query="DO 1", threads=2))
    assert [case.version for case in suite.cases.all()] == [1, 2]
    assert AuditEntry.objects.filter(verb="benchmark_suite.define").count() == 2
    with pytest.raises(ValueError, match="page"):
        define_suite(actor=frank, definition=SuiteDefinition("upload", "x", "y", []))


def test_the_ready_suites_are_defined_by_data() -> None:
    assert {"fast_queries", "protocol", "commands", "connectors"} <= set(ready_suites())
    for definition in ready_suites().values():
        define_suite(actor=None, definition=definition)
    assert Suite.objects.get(slug="protocol").cases.count() == 4


def test_the_database_keeps_its_promises(charlie: User) -> None:
    run = upload(charlie, native([[1.0]]))
    result = run.results.get()
    for change in (
        lambda: Run.objects.filter(pk=run.pk).update(state="lost"),
        lambda: Run.objects.filter(pk=run.pk).update(uploader=None),
        lambda: Run.objects.filter(pk=run.pk).update(trust=0),
        lambda: Result.objects.filter(pk=result.pk).update(unit="furlong"),
        lambda: Statistics.objects.create(
            result=result, processes=1, samples=1, median=1, low=2, high=1
        ),
        lambda: Comparison.objects.create(a="x", b="x"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("6d1b3c1e-0000-4000-8000-000000000001", True),
        ("6d1b3c1e-0000-4000-8000-000000000001:a_b", True),
        ("6d1b3c1e-0000-4000-8000-000000000001:a_b:7", True),
        ("6d1b3c1e-0000-4000-8000-000000000001:", False),
        ("6d1b3c1e-0000-4000-8000-00000000000", False),
        ("------------------------------------", False),
        ("x", False),
    ],
)
def test_a_selection_reads_what_it_writes(text: str, good: bool) -> None:
    found = parse(text)
    assert (found is not None) == good
    if found:
        assert str(found) == text


def test_one_run_that_fails_does_not_keep_others_waiting_and_is_given_up(
    charlie: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = upload(charlie, native([[1.0]] * 5)), upload(charlie, native([[2.0]] * 5, uid=2))
    real, tried = describe, []

    def fragile(samples: list[list[float]], *, key: str) -> Description:
        if samples[0][0] == 1.0:
            tried.append(key)
            raise ValueError("broken")
        return real(samples, key=key)

    monkeypatch.setattr(statistics, "describe", fragile)
    asked = ask_comparison(a=Selection(bad.uid), b=Selection(good.uid))
    tasks.compute_due()
    tasks.compute_due()  # at once again: not yet
    assert len(tried) == 1
    good.refresh_from_db()
    assert good.computed_at is not None
    assert "being computed" in client.get(bad.get_absolute_url()).content.decode()
    for later in range(2, 9):
        Run.objects.filter(try_at__isnull=False).update(try_at=NOW - dt.timedelta(days=later))
        tasks.compute_due()
    assert len(tried) == MOST_ATTEMPTS
    assert "Could not be computed" in client.get(bad.get_absolute_url()).content.decode()
    path = comparison_address(Selection(bad.uid), Selection(good.uid))
    assert "Could not be computed" in client.get(path).content.decode()
    asked.refresh_from_db()
    assert asked.is_given_up


def test_a_sweep_that_took_too_long_ends(charlie: User, monkeypatch: pytest.MonkeyPatch) -> None:
    upload(charlie, native([[1.0]] * 5))

    def too_long(*_all: object, **_more: object) -> None:
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(statistics, "describe", too_long)
    with pytest.raises(SoftTimeLimitExceeded):
        tasks.compute_due()


def test_an_old_question_is_forgotten(charlie: User) -> None:
    run = upload(charlie, hyperfine([1.0] * 5, [2.0] * 5))
    one, other = Selection(run.uid, "command_0"), Selection(run.uid, "command_1")
    old, new = ask_comparison(a=one, b=other), ask_comparison(a=other, b=one)
    Comparison.objects.filter(pk=old.pk).update(asked_at=timezone.now() - dt.timedelta(days=31))
    tasks.forget_comparisons()
    assert list(Comparison.objects.all()) == [new]


def test_new_questions_of_an_address_are_counted_and_known_ones_answered(
    charlie: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(throttle, "COMPARISONS", 1)
    run = upload(charlie, hyperfine([1.0] * 5, [2.0] * 5))
    one, other = Selection(run.uid, "command_0"), Selection(run.uid, "command_1")
    for _time in range(3):
        assert client.get(comparison_address(one, other)).status_code == 200
    answer = client.get(comparison_address(other, one))
    assert answer.status_code == 429
    assert "Too many questions" in answer.content.decode()
    assert Comparison.objects.count() == 1
