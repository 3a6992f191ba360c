"""A confidential election from its manifest to its result, by the pages that voters use."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import decrypt
from django.db import IntegrityError, connection, transaction
from django.test import Client

from governance import clock as portal_clock
from governance.actions.confidential_ballot import Receipt, cast_confidential
from governance.actions.election import cancel_election
from governance.actions.election_close import close_due
from governance.actions.election_count import count_due
from governance.actions.election_result import declare_election
from governance.demonstrations.ceremony import Ceremony
from governance.models import Body, ConfidentialBallot, Credential, Election, RollEntry
from governance.recount import bundle, receipts
from governance.recount.check import check
from governance.refusals import NotAllowed, Refusal
from governance.sealed import line, manifest
from governance.tests import elections as made
from governance.tests.conftest import HOUR
from portal.accounts.models import User
from portal.lib.models import AuditEntry, OutboxMail
from tests.cast import make_person, sign_in

pytestmark = pytest.mark.django_db
HERE = "/governance/elections/2026-board/"
VOTE = f"{HERE}vote/"
WORDS = "whatever comes to mind"
CONTRIBUTORS = "2026-board/contributors"


class Nobody:
    """Registrar and box: a confidential election asks them nothing."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was asked of an office")


NOBODY: Any = Nobody()


@dataclass
class Held:
    ceremony: Ceremony
    monkeypatch: pytest.MonkeyPatch

    @property
    def election(self) -> Election:
        return Election.objects.get()

    def at(self, moment: datetime) -> None:
        self.monkeypatch.setattr(portal_clock, "now", lambda at=None: at or moment)

    def entry(self, name: str) -> RollEntry:
        entries = RollEntry.objects.select_related("contest__election", "voter")
        return entries.get(voter_name=name)

    def cast(self, name: str, vote: bytes) -> Receipt:
        entry = self.entry(name)
        return cast_confidential(actor=entry.voter, entry=entry, vote=vote, words=WORDS)

    def count(self) -> Election:
        self.at(made.CLOSES)
        assert close_due(box=NOBODY, at=made.CLOSES) == 1
        assert count_due(registrar=NOBODY, box=NOBODY, at=made.CLOSES) == 0
        self.ceremony.election.refresh_from_db()
        self.ceremony.tell(at=made.CLOSES)
        assert count_due(registrar=NOBODY, box=NOBODY, at=made.CLOSES) == 1
        return self.election


def frozen(election: Election, officer: User) -> Ceremony:
    """Two officers sign; no scrutineer is needed."""
    ceremony = Ceremony(
        election,
        officer,
        scrutineers=[],
        officers=[make_person(f"signer{n}") for n in (1, 2)],
        at=made.NOMINATIONS_END,
    )
    ceremony.make_keys()
    ceremony.freeze(NOBODY, NOBODY)
    return ceremony


@pytest.fixture
def held(board: Body, monkeypatch: pytest.MonkeyPatch) -> Held:
    officer = made.make_officer()
    election = made.make_election(board, officer, level="confidential")
    people = [made.make_contributor(name) for name in ("cora", "carl", "cleo", "cyra")]
    _, owner = made.make_member("Acme")
    _, other = made.make_member("Beta")
    for person, friend in pairwise(people):
        made.put_forward(election, "contributors", person, seconded_by=friend)
    made.put_forward(election, "members", owner, seconded_by=other)
    made.draw(election)
    found = Held(frozen(election, officer), monkeypatch)
    found.at(made.OPENS + HOUR)
    return found


def page(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status
    return unescape(answer.content.decode())


def number_of(text: str, name: str) -> str:
    """The name of the box in which a number is written for somebody."""
    found = re.search(rf'name="(rank-\d+)"[^>]*aria-label="Number for {name}"', text)
    assert found
    return found[1]


def hidden(text: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', text)
    assert found
    return found[1]


def voted(client: Client, *names: str, blank: bool = False) -> dict[str, str]:
    """From the ballot to the receipt, as a browser without scripts does it; the receipt."""
    ballot = page(client.get(VOTE))
    sent = {"entry": hidden(ballot, "entry"), "step": "review"}
    sent |= {number_of(ballot, name): str(place) for place, name in enumerate(names, 1)}
    sent["vote"] = "blank" if blank else "choice"
    review = page(client.post(VOTE, sent))
    assert "You have voted" not in review
    cast = {"entry": sent["entry"], "paper": hidden(review, "paper"), "words": WORDS}
    receipt = page(client.post(VOTE, cast | {"step": "cast"}))
    assert "You have voted" in receipt
    found = re.search(r'\{"format".*?\}', receipt)
    assert found
    record: dict[str, str] = json.loads(found[0])
    file = re.search(r'href="data:application/json;charset=utf-8,(.*?)" download="(.*?)"', receipt)
    assert file
    assert json.loads(unquote(file[1])) == record
    assert file[2] == "receipt-2026-board-contributors.json"
    return record


def test_from_the_ballot_to_a_result_that_anybody_counts_again(held: Held, client: Client) -> None:
    cora = sign_in(held.entry("Cora").voter)
    assert "You have not voted yet" in page(cora.get(VOTE))
    first = voted(cora, "Carl", "Cora")
    text = page(cora.get(VOTE))
    assert "1. Carl" in text
    assert "2. Cora" in text
    last = voted(cora, "Cora", "Carl")
    assert first["digest"] != last["digest"]
    voted(sign_in(held.entry("Carl").voter), "Carl")
    voted(sign_in(held.entry("Cleo").voter), blank=True)
    election = held.count()
    text = page(client.get(f"{HERE}result/?line={last['digest']}"))
    assert "Cora and Carl are elected" in text or "Carl and Cora are elected" in text  # by lot
    assert "1. Cora" in text.partition('id="find"')[2]
    gone = page(client.get(f"{HERE}result/?line={first['digest']}"))
    assert "no line of this name" in gone
    texts = bundle.unpack(bytes(election.count.bundle))
    report = check(texts)
    assert report.faults == []
    assert report.outcome is not None
    told = report.outcome.contest(CONTRIBUTORS)
    assert (told.roll, told.took_part, told.blank, told.issued) == (4, 3, 1, 3)
    fixed = report.manifest
    assert fixed is not None
    receipt = receipts.look_up(json.dumps(last).encode(), fixed, texts)
    assert receipt.is_sound
    assert not receipts.look_up(json.dumps(first).encode(), fixed, texts).is_sound
    declare_election(actor=held.ceremony.runs, election=election, at=made.COMPLAINTS_END)
    assert held.election.state == "declared"


def test_a_question_is_answered_confidentially_too(
    board: Body, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    officer = made.make_officer()
    election = made.make_question(board, officer, level="confidential")
    cora, carl = (made.make_contributor(name) for name in ("cora", "carl"))
    made.draw(election)
    held = Held(frozen(election, officer), monkeypatch)
    held.at(made.OPENS + HOUR)
    for person, sent, said in [
        (cora, {"mark": "0", "vote": "choice"}, f"Yes: {made.PROPOSAL}"),
        (carl, {"vote": "blank"}, "You abstain"),
    ]:
        voter = sign_in(person)
        entry = {"entry": hidden(page(voter.get(VOTE)), "entry")}
        review = page(voter.post(VOTE, entry | sent | {"step": "review"}))
        assert said in review
        cast = {"paper": hidden(review, "paper"), "words": WORDS, "step": "cast"}
        assert "You have voted" in page(voter.post(VOTE, entry | cast))
        assert said in page(voter.get(VOTE))
    counted = held.count()
    assert f"Carried: {made.PROPOSAL}" in page(client.get(f"{HERE}result/"))
    assert check(bundle.unpack(bytes(counted.count.bundle))).faults == []


def test_the_name_of_a_line_is_the_hmac_of_the_election(held: Held) -> None:
    receipt = held.cast("Cora", b"\x00")
    key = line.key_of(bytes.fromhex(receipt.drawn), receipt.words)
    assert line.name_of(key, "2026-board") == receipt.digest
    assert line.name_of(key, "2027-board") != receipt.digest
    assert line.key_of(bytes.fromhex(receipt.drawn), "others") != key


def test_a_receipt_that_was_changed_is_none(held: Held) -> None:
    record = held.cast("Cora", b"\x00").as_record()
    texts = bundle.unpack(bytes(held.count().count.bundle))
    fixed = manifest.read(texts["manifest.json"])
    changes: list[dict[str, str]] = [
        {"digest": "0" * 64},
        {"words": "others"},
        {"portal": "00" * 32},
        {"portal": "x"},
        {"election": "2027-board"},
    ]
    for changed in changes:
        with pytest.raises(receipts.ReceiptError):
            receipts.look_up(json.dumps(record | changed).encode(), fixed, texts)


def test_the_count_forgets_whose_ballot_is_whose(held: Held) -> None:
    receipts_given = [held.cast(name, b"\x00") for name in ("Cora", "Carl")]
    assert ConfidentialBallot.objects.count() == 2
    held.count()
    assert not ConfidentialBallot.objects.exists()
    assert {each.entry.voter_name for each in Credential.objects.all()} == {"Cora", "Carl"}
    digests = [each.digest for each in receipts_given]
    with connection.cursor() as cursor:  # nowhere else in the database, but in the bundle
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns "
            "WHERE table_schema = 'public' AND data_type IN ('text', 'character varying', 'jsonb')"
        )
        for table, column in cursor.fetchall():
            cursor.execute(
                f'SELECT count(*) FROM "{table}" WHERE "{column}"::text LIKE ANY(%s)',  # noqa: S608
                [[f"%{digest}%" for digest in digests]],
            )
            assert cursor.fetchone() == (0,), (table, column)


def test_neither_letters_nor_the_log_say_how_somebody_voted(held: Held) -> None:
    held.cast("Cora", b"\x00")
    receipt = held.cast("Cora", b"\x01")
    letters = OutboxMail.objects.filter(subject__startswith="Your vote was taken")
    assert len(letters) == 1
    entries = AuditEntry.objects.filter(verb="ballot.cast")
    assert [entry.detail for entry in entries] == [{}]
    kept = " ".join(mail.text for mail in letters)
    assert receipt.digest not in kept
    assert receipt.words not in kept


def test_who_calls_it_off_leaves_no_ballot(held: Held) -> None:
    held.cast("Cora", b"\x00")
    cancel_election(
        actor=held.ceremony.runs, election=held.election, because="Wrong.", at=made.OPENS + HOUR
    )
    assert not ConfidentialBallot.objects.exists()


def test_nobody_votes_for_another_too_early_too_late_or_by_half(held: Held) -> None:
    entry = held.entry("Cora")
    stranger = held.entry("Carl").voter
    asked: dict[str, Any] = {"entry": entry, "vote": b"\x00", "words": WORDS}
    with pytest.raises(NotAllowed, match="not yours"):
        cast_confidential(actor=stranger, **asked)
    for moment in (made.OPENS - HOUR, made.CLOSES):
        with pytest.raises(Refusal, match="Voting is not open"):
            cast_confidential(actor=entry.voter, at=moment, **asked)
    for vote in (b"\x09", b"\x00\x00"):
        with pytest.raises(Refusal, match="cannot be counted"):
            cast_confidential(actor=entry.voter, **{**asked, "vote": vote})
    with pytest.raises(Refusal, match="letters or more of your own"):
        cast_confidential(actor=entry.voter, **{**asked, "words": "  short  "})
    assert not ConfidentialBallot.objects.exists()
    assert not Credential.objects.exists()


def test_the_database_takes_no_ballot_out_of_time(held: Held) -> None:
    held.cast("Cora", b"\x00")
    with pytest.raises(IntegrityError, match="goes after that"), transaction.atomic():
        ConfidentialBallot.objects.all().delete()
    held.at(made.CLOSES)
    close_due(box=NOBODY, at=made.CLOSES)
    with pytest.raises(IntegrityError, match="while votes are taken"), transaction.atomic():
        ConfidentialBallot.objects.update(paper=b"\x01")
    entry = held.entry("Carl")
    with pytest.raises(IntegrityError, match="while votes are taken"), transaction.atomic():
        ConfidentialBallot.objects.create(entry=entry, paper=b"\x00", digest="a" * 64)


def test_what_is_wrong_stands_beside_its_row(held: Held) -> None:
    cora = sign_in(held.entry("Cora").voter)
    ballot = page(cora.get(VOTE))
    sent = {"entry": hidden(ballot, "entry"), "step": "review", "vote": "choice"}
    assert "Nothing is chosen yet" in page(cora.post(VOTE, sent), 422)
    same = {number_of(ballot, name): "1" for name in ("Cora", "Carl")}
    assert "Carl has 1 too." in page(cora.post(VOTE, sent | same), 422)
    for text, said in (("7", "from 1 to 3"), ("x", "from 1 to 3"), ("2", "Nobody has 1.")):
        wrong = {number_of(ballot, "Cora"): text}
        answer = page(cora.post(VOTE, sent | wrong), 422)
        assert said in answer
        assert f'value="{text}"' in answer
    review = page(cora.post(VOTE, sent | {number_of(ballot, "Cora"): "1"}))
    assert "1. Cora" in review
    back = {"entry": sent["entry"], "paper": hidden(review, "paper"), "step": "edit"}
    assert 'value="1"' in page(cora.post(VOTE, back))
    short = back | {"step": "cast", "words": "short"}
    assert "letters or more of your own" in page(cora.post(VOTE, short), 422)
    assert not ConfidentialBallot.objects.exists()


def test_who_did_not_prove_who_they_are_is_asked_first(held: Held) -> None:
    client = sign_in(held.entry("Cora").voter)
    session = client.session
    session["account_authentication_methods"] = [
        {**each, "at": time.time() - 3600} for each in session["account_authentication_methods"]
    ]
    session.save()
    for answer in (client.get(VOTE), client.post(VOTE, {"step": "review"})):
        assert answer.status_code == 302
        assert "/accounts/" in answer["Location"]


def test_a_vote_that_comes_too_long_after_the_proof_waits_for_the_next(held: Held) -> None:
    """Nothing that was filled in is lost by it."""
    user = held.entry("Cora").voter
    client = sign_in(user)
    entry = hidden(page(client.get(VOTE)), "entry")
    session = client.session
    session["account_authentication_methods"] = [
        {**each, "at": time.time() - 3600} for each in session["account_authentication_methods"]
    ]
    session.save()
    sent = {"entry": entry, "paper": "00", "words": WORDS, "step": "cast"}
    asked = client.post(VOTE, sent)
    assert not ConfidentialBallot.objects.exists()
    secret = decrypt(Authenticator.objects.get(user=user, type="totp").data["secret"])
    counter = int(time.time()) // 30
    code = format_hotp_value(hotp_value(secret, counter))
    answer = client.post(asked["Location"], {"code": code})
    assert "You have voted" in page(answer)
    assert bytes(ConfidentialBallot.objects.get().paper) == b"\x00"


def test_it_has_no_credentials_no_box_and_no_board(held: Held, client: Client) -> None:
    cora = sign_in(held.entry("Cora").voter)
    asked = {"contest": CONTRIBUTORS, "number": 1, "blinded": "AAAA"}
    answer = cora.post(f"{HERE}credential/", asked, content_type="application/json")
    assert answer.status_code == 404
    assert client.get(f"{HERE}blocks.jsonl").status_code == 404
    assert client.get(f"{HERE}ballots/{'a' * 64}/").status_code == 404


def test_the_pages_say_whom_a_voter_trusts(held: Held, client: Client) -> None:
    words = "you trust who runs the portal"
    assert words in page(client.get(HERE))
    text = page(sign_in(held.entry("Cora").voter).get(VOTE))
    assert words in text
    assert "There are 4 voters here." in text
    assert "Nobody alone can open" not in page(sign_in(held.ceremony.runs).get(f"{HERE}keys/"))
