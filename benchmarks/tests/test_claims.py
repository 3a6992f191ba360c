"""A run without an account: claimed, taken away, decided on, forgotten; and one that gives way."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from benchmarks import keys, tasks
from benchmarks.actions.decision import (
    accept_run,
    claim_run,
    delete_run,
    forget_left_alone,
    reject_run,
    supersede_run,
    withdraw_run,
)
from benchmarks.actions.run import Kept
from benchmarks.actions.upload import Said, upload_run
from benchmarks.models import Result, Run, State, Trust
from benchmarks.tests.asking import NOW
from benchmarks.tests.uploads import hyperfine
from portal.accounts.models import User
from portal.lib.models import AuditEntry, OutboxMail
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


def upload(actor: User | None = None, time: float = 1.0, **said: Any) -> Kept:
    raw = json.dumps(hyperfine([time] * 5)).encode()
    return upload_run(actor=actor, raw=raw, said=Said(**said), at=NOW)


def test_a_claim_is_good_once_and_only_its_hash_is_kept(charlie: User, bob: User) -> None:
    kept = upload()
    assert kept.claim
    assert kept.claim not in str(Run.objects.values())
    assert upload().claim == ""  # the first run is the answer, its token is not told again
    assert not claim_run(actor=bob, run=kept.run, token="wrong")
    assert claim_run(actor=charlie, run=kept.run, token=kept.claim)
    run = Run.objects.get()
    assert (run.uploader, run.state, run.trust) == (charlie, State.PUBLISHED, Trust.SIGNED_IN)
    assert run.results.get().trust == Trust.SIGNED_IN
    assert not claim_run(actor=bob, run=run, token=kept.claim)
    assert AuditEntry.objects.get(verb="benchmark_run.claim").actor_id == charlie.pk


def test_of_two_claims_at_once_one_is_too_late(charlie: User, bob: User) -> None:
    kept = upload()
    stale = Run.objects.get()
    assert claim_run(actor=charlie, run=kept.run, token=kept.claim)
    assert not claim_run(actor=bob, run=stale, token=kept.claim)


def test_a_rejected_run_cannot_be_claimed(charlie: User, frank: User, client: Client) -> None:
    kept = upload()
    reject_run(actor=frank, run=kept.run, reason="Made up.")
    assert not claim_run(actor=charlie, run=kept.run, token=kept.claim)
    page = sign_in(charlie, client)
    assert page.post(keys.claim_of(kept.run, kept.claim)).headers["Location"] == "/benchmarks/"


def test_the_page_asks_before_it_claims(charlie: User, client: Client) -> None:
    kept = upload()
    path = keys.claim_of(kept.run, kept.claim)
    assert "/accounts/login" in client.get(path).headers["Location"]
    sign_in(charlie, client)
    assert b"Make it mine" in client.get(path).content
    assert Run.objects.get().uploader is None
    assert client.get(keys.claim_of(kept.run, "wrong")).status_code == 404
    assert client.post(path).headers["Location"] == kept.run.get_absolute_url()
    assert Run.objects.get().uploader == charlie
    assert client.get(path).status_code == 404


def test_whoever_sent_a_run_takes_it_away(client: Client, frank: User) -> None:
    run = upload().run
    path = keys.deletion_of(run)
    assert client.get(path.replace("key=", "key=x")).status_code == 404
    assert client.get(f"{path.partition('?')[0]}?key={keys.address_of(run)}").status_code == 404
    assert b"cannot be undone" in client.get(path).content
    assert Run.objects.exists()
    client.post(path)
    assert not Run.objects.exists()
    assert AuditEntry.objects.filter(verb="benchmark_run.delete").exists()
    assert client.get(path).status_code == 404


def test_a_run_that_was_accepted_is_withdrawn_instead(client: Client, frank: User) -> None:
    run = upload().run
    accept_run(actor=frank, run=run)
    path = keys.deletion_of(run)
    assert b"it is withdrawn" in client.get(path).content
    client.post(path)
    assert Run.objects.get().state == State.WITHDRAWN
    assert b"nothing left" in client.post(path, follow=True).content
    assert not delete_run(run=Run.objects.get())


def test_what_nobody_claims_or_accepts_is_gone_after_thirty_days(
    charlie: User, frank: User
) -> None:
    left, rejected, accepted = (upload(time=float(n)).run for n in (1, 2, 3))
    reject_run(actor=frank, run=rejected, reason="No.")
    accept_run(actor=frank, run=accepted)
    own = upload(charlie).run
    assert forget_left_alone(at=NOW + timedelta(days=30)) == 0
    assert forget_left_alone(at=NOW + timedelta(days=30, seconds=1)) == 2
    assert set(Run.objects.values_list("pk", flat=True)) == {accepted.pk, own.pk}
    assert not Result.objects.filter(run__in=[left.pk, rejected.pk]).exists()
    tasks.forget_runs()


def test_the_sender_hears_what_was_decided_and_the_address_is_forgotten(frank: User) -> None:
    yes, no = (upload(time=t, contact=f"{t:.0f}@example.org").run for t in (1.0, 2.0))
    silent = upload(time=3.0).run
    accept_run(actor=frank, run=yes, reason="Looks right.")
    reject_run(actor=frank, run=no, reason="Faster than light.")
    reject_run(actor=frank, run=silent, reason="No.")
    letters = {one.recipient: one for one in OutboxMail.objects.all()}
    assert set(letters) == {"1@example.org", "2@example.org"}
    assert yes.get_absolute_url() in letters["1@example.org"].text
    assert "Faster than light." in letters["2@example.org"].text
    assert letters["2@example.org"].subject.startswith("Not accepted")
    assert not Run.objects.exclude(contact="").exists()
    assert Run.objects.get(pk=no.pk).reason == "Faster than light."


def test_an_address_is_not_kept_for_who_has_an_account(charlie: User) -> None:
    assert upload(charlie, contact="c@example.org").run.contact == ""


def test_an_uploader_hears_when_staff_withdraws_their_run(charlie: User, frank: User) -> None:
    first, second = upload(charlie).run, upload(charlie, time=2.0).run
    withdraw_run(actor=charlie, run=first)
    assert not OutboxMail.objects.exists()
    withdraw_run(actor=frank, run=second, reason="Wrong server.")
    letter = OutboxMail.objects.get()
    assert (letter.recipient, "Wrong server." in letter.text) == (charlie.email, True)
    assert letter.subject.startswith("Withdrawn")


def test_a_later_run_takes_the_place_of_an_earlier_one(
    charlie: User, bob: User, client: Client
) -> None:
    old, new, foreign = upload(charlie).run, upload(charlie, time=2.0).run, upload(bob).run
    for wrong in (old, foreign):
        with pytest.raises(ValueError, match="gives way"):
            supersede_run(actor=charlie, run=old, by=wrong)
    path = f"{old.get_absolute_url()}supersede/"
    assert client.post(path, {"by": new.uid}).status_code == 404
    sign_in(charlie, client)
    assert b"Replace it" in client.get(old.get_absolute_url()).content
    client.post(path, {"by": foreign.uid})
    assert Run.objects.get(pk=old.pk).state == State.PUBLISHED
    client.post(path, {"by": new.uid})
    text = Client().get(old.get_absolute_url()).content.decode()
    assert "A later run has taken its place" in text
    assert new.get_absolute_url() in text
    assert client.post(path, {"by": new.uid}).status_code == 404
    assert not supersede_run(actor=charlie, run=old, by=new)


def test_without_another_run_nothing_can_take_the_place(charlie: User, client: Client) -> None:
    run = upload(charlie).run
    assert b"Replace it" not in sign_in(charlie, client).get(run.get_absolute_url()).content


def test_a_refusal_without_a_reason_is_not_taken(frank: User, client: Client) -> None:
    run = upload().run
    path = f"/benchmarks/moderation/{run.uid}/"
    sign_in(frank, client)
    assert b"Say why" in client.post(path, {"decision": "reject"}, follow=True).content
    assert b"Choose" in client.post(path, {"decision": "x"}, follow=True).content
    assert Run.objects.get().state == State.QUARANTINE


def test_the_queue_shows_what_a_decision_needs(frank: User, client: Client) -> None:
    noise = {"noise": {"steal_share": 0.1}, "cpu": {"model": "Some CPU"}}
    upload(environment=noise, contact="a@example.org")
    assert "upload waits" not in client.get("/benchmarks/").content.decode()
    sign_in(frank, client)
    assert "One upload waits" in client.get("/benchmarks/").content.decode()
    before = client.get("/benchmarks/moderation/").content.decode()
    assert "being computed" in before
    tasks.compute_due()
    text = client.get("/benchmarks/moderation/").content.decode()
    for words in ("Some CPU", "steal share: 0.1", "no clock measures so", "5 processes", "1 s"):
        assert words in text
