import base64
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from benchmarks import keys, tasks, throttle
from benchmarks.actions.decision import accept_run, reject_run, withdraw_run
from benchmarks.actions.upload import Said, upload_run
from benchmarks.client import portal_benchmark
from benchmarks.models import Run, State
from benchmarks.selections import Selection
from benchmarks.sending import comparison_address
from benchmarks.tests.asking import NOW
from benchmarks.tests.uploads import ENVIRONMENT, hyperfine, native
from benchmarks.views import upload as upload_page
from portal.accounts.models import User
from portal.lib.models import AuditEntry

pytestmark = pytest.mark.django_db
FAST, SLOW = [1.0, 1.1, 0.9, 1.0, 1.05], [2.0, 2.2, 1.8, 2.0, 2.1]
SignIn = Callable[[User], Client]


def upload(actor: User | None, content: dict[str, Any], **said: Any) -> Run:
    raw = json.dumps(content).encode()
    run = upload_run(actor=actor, raw=raw, said=Said(**said), at=NOW).run
    tasks.compute_due()
    return run


def page(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def two(run: Run) -> str:
    return comparison_address(Selection(run.uid, "command_0"), Selection(run.uid, "command_1"))


def test_an_empty_site_says_how_to_start(client: Client) -> None:
    text = page(client, "/benchmarks/")
    assert "No suite yet" in text
    assert "hyperfine --export-json" in text
    assert "Nothing to compare yet" in page(client, "/benchmarks/compare/")


def test_suites_and_recent_runs_are_listed(client: Client, charlie: User) -> None:
    upload(charlie, hyperfine(FAST, SLOW), title="Evening run")
    text = page(client, "/benchmarks/")
    assert "Whole commands" in text
    assert "Evening run" in text
    assert "Charlie" in text
    assert "2 signed in" in text


def test_a_run_page_shows_everything_measured(client: Client, charlie: User) -> None:
    content = native([[1.0, 2.0], [3.0]], params={"transport": "tcp", "threads": 4, "tls": False})
    run = upload(charlie, content)
    text = page(client, run.get_absolute_url())
    for words in ("Connector/C 3.4.1", "tcp, 4 threads, tls no", "Some CPU", "mariadb 11.8.9"):
        assert words in text
    assert "fewer than five processes" in text
    assert client.get(f"{run.get_absolute_url()}?format=csv").content.count(b"\n") == 2
    found = client.get(f"{run.get_absolute_url()}?format=json").json()
    assert found["environment"] == ENVIRONMENT
    assert client.get(f"/api/v1/benchmarks/runs/{run.uid}").json() == found


def test_a_run_says_that_it_is_being_computed(client: Client, charlie: User) -> None:
    raw = json.dumps(hyperfine(FAST, SLOW)).encode()
    run = upload_run(actor=charlie, raw=raw, said=Said(), at=NOW).run
    assert "being computed" in page(client, run.get_absolute_url())
    assert "being computed" in page(client, two(run))
    assert client.get(f"{two(run)}&format=json").status_code == 202
    tasks.compute_due()
    assert "being computed" not in page(client, run.get_absolute_url())
    assert "being computed" not in page(client, two(run))


def test_the_original_file_can_be_fetched(client: Client, charlie: User) -> None:
    content = hyperfine(FAST)
    run = upload(charlie, content)
    answer = client.get(f"{run.get_absolute_url()}original")
    assert json.loads(answer.content) == content
    assert "attachment" in answer["Content-Disposition"]


def test_a_waiting_run_is_seen_with_its_key_only(
    client: Client, client_for: SignIn, charlie: User, frank: User
) -> None:
    answer = client.post(
        "/api/v1/benchmarks/runs", json.dumps(hyperfine(FAST)), content_type="application/json"
    )
    assert answer.status_code == 201
    parts = urlsplit(answer.json()["address"])
    assert answer.json()["compare"] == ""
    assert "waits for a look" in page(client, f"{parts.path}?{parts.query}")
    assert client.get(f"{parts.path}original?{parts.query}").status_code == 200
    page(client, parts.path, 404)
    page(client, f"{parts.path}?key=nonsense", 404)
    page(client_for(charlie), parts.path, 404)
    page(client_for(frank), parts.path)
    uid = answer.json()["id"]
    assert client.get(f"/api/v1/benchmarks/runs/{uid}").status_code == 404
    assert client.get(f"/benchmarks/compare/?a={uid}&b={uid}:command_0").status_code == 404


def test_a_comparison_answers_in_its_heading_plot_and_table(client: Client, charlie: User) -> None:
    run = upload(charlie, hyperfine(FAST, SLOW))
    page(client, two(run))
    tasks.compute_due()
    text = page(client, two(run))
    assert "command 0 is 2 times as fast as command 1" in text
    assert text.count("<svg class=") >= 2
    assert "faster" in text
    assert "effect: large" in text
    assert "not told, one run" in text
    assert f'value="{run.uid}:command_0" selected' in text
    answer = client.get(f"{two(run)}&format=json").json()
    assert answer["rows"][0]["finding"] == "faster"
    assert answer["rows"][0]["low"] > 1
    assert "whole" not in client.get(f"{two(run)}&format=csv").content.decode()


def test_no_difference_says_what_it_could_be(client: Client, charlie: User) -> None:
    run = upload(charlie, hyperfine([1.0, 1.2, 0.9, 1.1, 1.0], [1.05, 1.2, 0.9, 1.0, 1.1]))
    page(client, two(run))
    tasks.compute_due()
    text = page(client, two(run))
    assert "No difference shown between" in text
    assert "could be from −" in text


def test_boxes_ticked_in_a_list_become_a_comparison(client: Client, charlie: User) -> None:
    run = upload(charlie, hyperfine(FAST, SLOW))
    picked = [f"{run.uid}:command_{number}:{number}" for number in range(2)]
    answer = client.get("/benchmarks/compare/", {"pick": picked})
    assert answer.headers["Location"] == f"/benchmarks/compare/?a={picked[0]}&b={picked[1]}"
    answer = client.get("/benchmarks/compare/", {"pick": picked[:1]}, follow=True)
    assert "Two are compared at a time" in answer.content.decode()
    assert f'value="{picked[0]}" selected' in answer.content.decode()
    assert client.get("/benchmarks/compare/?pick=nonsense").headers["Location"].endswith("/?")


def test_the_lists_of_a_comparison_are_narrowed_by_words(client: Client, charlie: User) -> None:
    for uid in (1, 2):
        upload(charlie, native([[1.0]] * 5, uid=uid))
    path = "/benchmarks/compare/"
    assert "Connector/C 3.4.1" in page(client, path)
    narrowed = page(client, f"{path}?find=connector+4.2")
    assert "Connector/C 3.4.2" in narrowed
    assert "Connector/C 3.4.1" not in narrowed
    assert "Nothing of this name" in page(client, f"{path}?find=100%25")


def test_rows_of_other_conditions_stand_in_a_panel_of_their_own(
    client: Client, charlie: User
) -> None:
    runs = []
    for uid in (1, 2):
        content = native([[float(uid)]] * 5, uid=uid, params={"cpu_placement": "same"})
        [one] = content["results"]
        content["results"].append({**one, "params": {"cpu_placement": "different"}})
        runs.append(upload(charlie, content))
    path = comparison_address(*(Selection(run.uid) for run in runs))
    page(client, path)
    tasks.compute_due()
    text = page(client, path)
    assert text.count('<figure class="chart">') == 2
    assert "CPU placement different</h3>" in text
    assert "panels are not compared with each other" in text
    assert "Not measured on the same machine" not in text


def test_another_machine_is_said_loudly(client: Client, charlie: User) -> None:
    one = upload(charlie, native([[1.0]] * 5))
    other = upload(charlie, native([[2.0]] * 5, uid=2, environment={}))
    path = comparison_address(Selection(one.uid), Selection(other.uid))
    page(client, path)
    tasks.compute_due()
    text = page(client, path)
    assert "Not measured on the same machine" in text
    assert "no verdict" in text
    assert "two runs, and a machine is not known" in text
    assert f"/benchmarks/machines/{one.machine}/" in text


def test_several_cases_are_counted_in_the_heading(client: Client, charlie: User) -> None:
    runs = []
    for uid, factor in ((1, 2.0), (2, 1.0)):
        content = native([[100.0 * factor]] * 9, uid=uid)
        slow = {**content["results"][0], "case": "connect", "samples": [[50.0 / factor]] * 9}
        content["results"].append(slow)
        runs.append(upload(charlie, content))
    path = comparison_address(Selection(runs[0].uid), Selection(runs[1].uid))
    page(client, path)
    tasks.compute_due()
    assert "faster in 1, slower in 1 cases" in page(client, path)


def test_only_what_exists_and_fits_is_compared(client: Client, charlie: User) -> None:
    run = upload(charlie, hyperfine(FAST, SLOW))
    other = upload(charlie, native([[1.0]] * 5))
    a = f"{run.uid}:command_0"
    assert "These are the same" in page(client, f"/benchmarks/compare/?a={a}&b={a}")
    page(client, f"/benchmarks/compare/?a={a}&b=nonsense", 404)
    page(client, f"/benchmarks/compare/?a={a}&b={run.uid}:nobody", 404)
    path = f"/benchmarks/compare/?a={a}&b={other.uid}"
    page(client, path)
    tasks.compute_due()
    assert "have no case in common" in page(client, path)


def test_a_withdrawn_run_leaves_the_lists_and_keeps_its_page(
    client: Client, client_for: SignIn, charlie: User, dana: User
) -> None:
    run = upload(charlie, hyperfine(FAST, SLOW), title="Wrong one")
    path = f"{run.get_absolute_url()}withdraw/"
    assert client_for(dana).post(path).status_code == 404
    assert "Withdraw this run" in page(client_for(charlie), run.get_absolute_url())
    assert client_for(charlie).post(path, {"reason": "a debug build"}).status_code == 302
    assert "Wrong one" not in page(client, "/benchmarks/")
    assert "was withdrawn" in page(client, run.get_absolute_url())


def test_staff_decide_on_what_waits(client_for: SignIn, frank: User) -> None:
    run, other = upload(None, hyperfine(FAST)), upload(None, hyperfine(SLOW))
    client = client_for(frank)
    assert "2 uploads wait" in page(client, "/benchmarks/moderation/")
    for one, decision in ((run, "accept"), (other, "reject"), (run, "reject"), (run, "x")):
        path = f"/benchmarks/moderation/{one.uid}/"
        answer = client.post(path, {"decision": decision, "reason": "Made up."})
        assert answer.status_code == 302
    run.refresh_from_db()
    other.refresh_from_db()
    assert (run.state, other.state) == (State.PUBLISHED, State.REJECTED)
    assert "Nothing waits" in page(client, "/benchmarks/moderation/")
    assert "was rejected" in page(client, other.get_absolute_url())


def test_a_rejection_is_taken_back(client_for: SignIn, frank: User) -> None:
    run, other = upload(None, hyperfine(FAST)), upload(None, hyperfine(SLOW))
    client = client_for(frank)
    path = f"/benchmarks/moderation/{run.uid}/"
    client.post(path, {"decision": "reject", "reason": "A wrong click."})
    assert "A wrong click." in page(client, "/benchmarks/moderation/")
    for one in (run, other):  # one that still waits is not moved
        client.post(f"/benchmarks/moderation/{one.uid}/", {"decision": "reopen"})
        one.refresh_from_db()
        assert one.state == State.QUARANTINE
    text = page(client, "/benchmarks/moderation/")
    assert "2 uploads wait" in text
    assert "A wrong click." not in text
    reopened = AuditEntry.objects.filter(verb="benchmark_run.reopen")
    assert [entry.actor for entry in reopened] == [frank]


def test_the_methodology_states_the_rule_that_is_applied(client: Client) -> None:
    text = page(client, "/benchmarks/methodology/")
    for words in ("2,000 draws", "0.05", "2 %", "5 processes", "Mann-Whitney", "Holm"):
        assert words in text


def sent(content: dict[str, Any]) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("run.json", json.dumps(content).encode()), "suite": ""}


def confirmed(content: dict[str, Any], **more: str) -> dict[str, str]:
    packed = base64.b64encode(gzip.compress(json.dumps(content).encode())).decode()
    return {"packed": packed, "suite": "", "title": "", "cc0": "on", **more}


def test_the_form_shows_what_was_read_before_anything_is_kept(client: Client) -> None:
    answer = client.post("/benchmarks/upload/", sent(hyperfine(FAST, SLOW, names=["a", "/x/y b"])))
    text = answer.content.decode()
    assert "2 results were read" in text
    assert 'value="y b"' in text
    assert "Nothing is kept yet" in text
    assert not Run.objects.exists()


def test_a_confirmed_file_is_kept_with_the_names_given(client_for: SignIn, charlie: User) -> None:
    fields = {"name_0": "Connector/C", "version_0": "3.4", "name_1": "Connector/X"}
    machine = {"cpu": "Some CPU", "cores": "4", "memory": "16"}
    posted = confirmed(hyperfine(FAST, SLOW), title="Mine", **fields, **machine)
    answer = client_for(charlie).post("/benchmarks/upload/", posted)
    run = Run.objects.get()
    assert answer.headers["Location"] == run.get_absolute_url()
    assert (run.title, run.uploader, run.state) == ("Mine", charlie, State.PUBLISHED)
    assert [one.label for one in run.results.all()] == ["Connector/C 3.4", "Connector/X"]
    assert run.environment == {"cpu": {"model": "Some CPU", "cores": 4}, "memory_bytes": 16 * 10**9}


def test_without_an_account_the_form_leads_to_the_waiting_run(client: Client) -> None:
    answer = client.post("/benchmarks/upload/", confirmed(hyperfine(FAST), name_0="x"))
    text = answer.content.decode()
    run = Run.objects.get()
    assert answer.headers["Cache-Control"].startswith("max-age=0")
    for link in (keys.claim_of(run, ""), keys.deletion_of(run).partition("%3A")[0]):
        assert link.replace("&", "&amp;") in text
    assert "waits for a look" in page(client, keys.address_of(run))
    again = client.post("/benchmarks/upload/", confirmed(hyperfine(FAST), name_0="x"))
    assert again.status_code == 302  # the first run is the answer; its token is not told twice


@pytest.mark.parametrize(
    ("posted", "words"),
    [
        ({}, "Choose the file"),
        (sent({"a": 1}), "No known format"),
        (sent(hyperfine([1.0, -1.0])), "/results/0/times/1"),
        ({"packed": "?"}, "lost on the way"),
        (confirmed({"a": 1}), "No known format"),
    ],
)
def test_the_form_says_what_is_wrong(client: Client, posted: dict[str, Any], words: str) -> None:
    answer = client.post("/benchmarks/upload/", posted)
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_numbers_that_nobody_may_use_are_not_kept(client: Client) -> None:
    posted = confirmed(hyperfine(FAST), name_0="x")
    del posted["cc0"]
    answer = client.post("/benchmarks/upload/", posted)
    assert "nobody may use" in answer.content.decode()
    assert not Run.objects.exists()


def test_a_run_id_of_somebody_else_is_told_in_the_form(client: Client, charlie: User) -> None:
    upload(charlie, native([[1.0]]))
    posted = confirmed(native([[2.0]]), name_0="x", version_0="")
    assert (
        "belongs to another upload" in client.post("/benchmarks/upload/", posted).content.decode()
    )


def test_the_client_is_there_to_be_fetched(client: Client) -> None:
    answer = client.get("/benchmarks/portal_benchmark.py")
    assert answer.content == Path(portal_benchmark.__file__).read_bytes()


def test_long_names_are_told_apart_by_where_they_differ(client: Client, charlie: User) -> None:
    names = [
        "mariadb client, five thousand round trips, socket",
        "mariadb client, five thousand TCP",
    ]
    run = upload(charlie, hyperfine(FAST, SLOW, names=names))
    slugs = [one.subject_slug for one in run.results.all()]
    path = comparison_address(*(Selection(run.uid, slug) for slug in slugs))
    page(client, path)
    tasks.compute_due()
    assert "round trips, socket is 2 times as fast as TCP" in page(client, path)


def test_a_comparison_may_be_begun_with_one_side(client: Client, charlie: User) -> None:
    run = upload(charlie, hyperfine(FAST, SLOW))
    slug = run.results.all()[1].subject_slug
    assert f'value="{run.uid}:command_0:0"' in page(client, "/benchmarks/commands/?trust=all")
    text = page(client, f"/benchmarks/compare/?a={run.uid}:{slug}:1")
    assert f'value="{run.uid}:{slug}:1" selected' in text


def test_a_moderator_cannot_move_what_is_out_of_quarantine(charlie: User, frank: User) -> None:
    run = upload(charlie, hyperfine(FAST))
    assert not accept_run(actor=frank, run=run)
    assert not reject_run(actor=frank, run=run)
    assert withdraw_run(actor=frank, run=run)
    assert not withdraw_run(actor=frank, run=run)


def test_an_address_that_had_its_share_is_turned_away_before_its_file_is_read(
    client: Client, client_for: SignIn, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(throttle, "PREVIEWS", 1)
    monkeypatch.setattr(throttle, "UPLOADS", 1)
    path = "/benchmarks/upload/"
    assert client.post(path, sent(hyperfine(FAST))).status_code == 200
    assert client.post(path, confirmed({"a": 1})).status_code == 422
    with monkeypatch.context() as inner:
        inner.setattr(upload_page, "understand", None)  # never reached
        for posted in (sent(hyperfine(FAST)), confirmed(hyperfine(FAST))):
            answer = client.post(path, posted)
            assert answer.status_code == 429
            assert "Too many uploads" in answer.content.decode()
    assert client_for(charlie).post(path, sent(hyperfine(FAST))).status_code == 200


def test_numbers_at_the_ends_of_what_can_be_kept_are_shown(client: Client, charlie: User) -> None:
    run = upload(charlie, hyperfine([1e15] * 5, [5e-324, 5e-324, 5e-324, 1e15, 1e15]))
    page(client, two(run))
    tasks.compute_due()
    for path in (
        run.get_absolute_url(),
        two(run),
        "/benchmarks/commands/?trust=all",
        "/benchmarks/",
    ):
        page(client, path)
    for path in (f"{run.get_absolute_url()}?format=json", f"{two(run)}&format=json"):
        assert client.get(path).json()
