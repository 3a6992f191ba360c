"""The registrar: one blind signature for each number of the roll, and none out of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Barrier, Thread

import pytest
from cryptography.hazmat.primitives.serialization import load_der_public_key

from governance.offices.keys import KeyUnsafeError
from governance.registrar.client import REFUSALS, Registrar, RegistrarRefusedError
from governance.registrar.office import STEPS, Office
from governance.sealed import blind, manifest
from governance.sealed.ballot import point_of, voter_message
from governance.tests import offices, sealed_election
from governance.tests.offices import CLOSES, CONTRIBUTORS, HOUR, MEMBERS, OPENS, Clock, Election
from governance.tests.sealed_election import registrar_key


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def election(tmp_path: Path) -> Election:
    made = Election()
    made.keep_keys(tmp_path)
    return made


@pytest.fixture
def office(tmp_path: Path, clock: Clock) -> Iterator[Office]:
    with offices.registrar(tmp_path, clock) as found:
        yield found


@pytest.fixture
def opened(office: Office, election: Election) -> Office:
    office.open(election.text, election.signatures)
    return office


def blinded(contest: str = CONTRIBUTORS) -> bytes:
    return blind.blind(registrar_key(contest).public_key(), b"a pseudonym")[0]


def test_the_office_is_what_its_contract_says(office: Office) -> None:
    asked: Registrar = office
    asked.ping()


def test_what_it_signs_blindly_is_a_signature_of_the_pseudonym(opened: Office) -> None:
    public = registrar_key(CONTRIBUTORS).public_key()
    key = sealed_election.voter(CONTRIBUTORS)[0]
    message = blind.prepare(voter_message(CONTRIBUTORS.encode(), point_of(key)))
    sent, inverse = blind.blind(public, message)
    answer = opened.sign(CONTRIBUTORS, 1, sent)
    assert blind.verify(public, message, blind.finalize(public, message, answer, inverse))


def test_a_number_is_given_one_signature_and_the_same_again(
    opened: Office, tmp_path: Path, clock: Clock
) -> None:
    first = blinded()
    answer = opened.sign(CONTRIBUTORS, 2, first)
    assert opened.sign(CONTRIBUTORS, 2, first) == answer
    for _ in range(2):
        with pytest.raises(RegistrarRefusedError) as refusal:
            opened.sign(CONTRIBUTORS, 2, blinded())
        assert refusal.value.code == "taken"
    anew = Office(tmp_path / "registrar", opened._database, clock)
    assert anew.sign(CONTRIBUTORS, 2, first) == answer
    with pytest.raises(RegistrarRefusedError):
        anew.sign(CONTRIBUTORS, 2, blinded())
    opened.sign(MEMBERS, 2, blinded(MEMBERS))
    opened.sign(CONTRIBUTORS, 1, blinded())
    assert opened.issued(CONTRIBUTORS) == [1, 2]
    assert opened.issued(MEMBERS) == [2]


@pytest.mark.parametrize(
    ("code", "at", "contest", "number", "what"),
    [
        ("early", OPENS - HOUR, CONTRIBUTORS, 1, None),
        ("late", CLOSES, CONTRIBUTORS, 1, None),
        ("number", OPENS, CONTRIBUTORS, 0, None),
        ("number", OPENS, CONTRIBUTORS, -1, None),
        ("number", OPENS, CONTRIBUTORS, 6, None),
        ("number", OPENS, CONTRIBUTORS, 2**70, None),
        ("contest", OPENS, "2026-board", 1, None),
        ("contest", OPENS, "2026-board/", 1, None),
        ("contest", OPENS, "2026-board/nobody", 1, None),
        ("contest", OPENS, "2027-board/contributors", 1, None),
        ("contest", OPENS, "../../etc", 1, None),
        ("contest", OPENS, "\0", 1, None),
        ("blinded", OPENS, CONTRIBUTORS, 1, b""),
        ("blinded", OPENS, CONTRIBUTORS, 1, b"\x01" * 383),
        ("blinded", OPENS, CONTRIBUTORS, 1, b"\x00" * 385),
        ("blinded", OPENS, CONTRIBUTORS, 1, b"\xff" * 384),
    ],
)
def test_what_it_does_not_sign(
    opened: Office,
    clock: Clock,
    code: str,
    at: object,
    contest: str,
    number: int,
    what: bytes | None,
) -> None:
    clock.now = at  # type: ignore[assignment]
    with pytest.raises(RegistrarRefusedError) as refusal:
        opened.sign(contest, number, blinded() if what is None else what)
    assert refusal.value.code == code
    assert code in REFUSALS
    assert opened.issued(CONTRIBUTORS) == [], "nothing is spent by a refusal"


def test_from_the_opening_until_the_close_it_signs(opened: Office, clock: Clock) -> None:
    clock.now = OPENS
    opened.sign(CONTRIBUTORS, 1, blinded())
    clock.now = CLOSES - HOUR / 3600
    opened.sign(CONTRIBUTORS, 2, blinded())


def test_the_same_manifest_opens_again_and_another_does_not(
    opened: Office, election: Election
) -> None:
    opened.open(election.text, election.signatures)
    other = Election(election.private, {"title": "Another"})
    with pytest.raises(RegistrarRefusedError) as refusal:
        opened.open(other.text, other.signatures)
    assert refusal.value.code == "other"
    opened.sign(CONTRIBUTORS, 1, blinded())


def test_a_manifest_that_is_not_whole_opens_nothing(office: Office, election: Election) -> None:
    confidential = Election(election.private, {"level": manifest.CONFIDENTIAL})
    slash = Election(election.private, {"election": "../up", "contests": ()})
    foreign = replace(election.manifest.contests[0], registrar_key="AAAA")
    not_ours = Election(election.private, {"contests": (foreign,)})
    unknown = Election(
        election.private,
        {"contests": (replace(election.manifest.contests[0], id="2026-board/unknown"),)},
    )
    first, second = election.signatures
    for text, signatures, code in [
        (b"", election.signatures, "manifest"),
        (b"[]", election.signatures, "manifest"),
        (b"[" * 100_000, election.signatures, "manifest"),
        (election.text + b"\n", election.signatures, "manifest"),
        (election.text, [], "manifest"),
        (election.text, [first], "manifest"),
        (election.text, [first, first], "manifest"),
        (election.text, [second, first], "manifest"),
        (election.text, [first, b""], "manifest"),
        (election.text, [first, second, second], "manifest"),
        (election.text.replace(b"Half", b"Most"), election.signatures, "manifest"),
        (confidential.text, confidential.signatures, "manifest"),
        (slash.text, slash.signatures, "manifest"),
        (not_ours.text, not_ours.signatures, "key"),
        (unknown.text, unknown.signatures, "key"),
    ]:
        with pytest.raises(RegistrarRefusedError) as refusal:
            office.open(text, signatures)
        assert refusal.value.code == code
    with pytest.raises(RegistrarRefusedError):
        office.issued(CONTRIBUTORS)


def test_a_key_is_made_once_and_only_its_owner_reads_it(office: Office, tmp_path: Path) -> None:
    found = office.key("2027-board/all")
    assert office.key("2027-board/all") == found
    assert load_der_public_key(found).key_size == manifest.MODULUS  # type: ignore[union-attr]
    path = tmp_path / "registrar" / "keys" / "2027-board" / "all.pem"
    assert path.stat().st_mode & 0o777 == 0o600
    for name in ("", "x", "../x/y", "x/../y", "x/y/z", "x/y\0", "x/y\n", "-/x", "x/" + "y" * 101):
        with pytest.raises(RegistrarRefusedError):
            office.key(name)


def test_a_lost_or_exchanged_key_is_not_made_anew(
    opened: Office, election: Election, tmp_path: Path, clock: Clock
) -> None:
    path = tmp_path / "registrar" / "keys" / f"{CONTRIBUTORS}.pem"
    content = path.read_bytes()
    other = (tmp_path / "registrar" / "keys" / f"{MEMBERS}.pem").read_bytes()
    changes: list[tuple[Callable[[], object], str]] = [
        (path.unlink, "missing"),
        (partial(path.write_bytes, b"no key"), "is no key"),
        (partial(path.write_bytes, other), "another than in the manifest"),
        (partial(path.chmod, 0o640), "chmod 600"),
    ]
    for change, reason in changes:
        path.write_bytes(content)
        path.chmod(0o600)
        change()
        anew = Office(tmp_path / "registrar", opened._database, clock)
        with pytest.raises(KeyUnsafeError, match=reason):
            anew.sign(CONTRIBUTORS, 1, blinded())
        with pytest.raises(KeyUnsafeError, match=reason):
            anew.key(CONTRIBUTORS)
    assert opened.issued(CONTRIBUTORS) == []


def test_of_fifty_that_ask_for_one_number_at_once_one_wins_for_good(opened: Office) -> None:
    sent = [blinded() for _ in range(50)]
    answers: dict[int, bytes | str] = {}
    together = Barrier(50)

    def ask(place: int) -> None:
        together.wait()
        try:
            answers[place] = opened.sign(CONTRIBUTORS, 3, sent[place])
        except RegistrarRefusedError as error:
            answers[place] = error.code

    threads = [Thread(target=ask, args=(place,)) for place in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners = [place for place, answer in answers.items() if answer != "taken"]
    assert len(answers) == 50
    assert len(winners) == 1
    assert opened.sign(CONTRIBUTORS, 3, sent[winners[0]]) == answers[winners[0]]
    assert opened.issued(CONTRIBUTORS) == [3]


def test_no_column_holds_a_time_or_what_was_asked(opened: Office) -> None:
    assert "CREATE TABLE issued" in STEPS[1]
    with opened._database.read() as connection:
        found = connection.execute(
            "SELECT table_name, column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = 'public' ORDER BY 1, 2"
        ).fetchall()
    assert found == [
        ("elections", "manifest", "bytea"),
        ("elections", "name", "text"),
        ("issued", "blinded_sha256", "text"),
        ("issued", "contest", "text"),
        ("issued", "number", "integer"),
        ("steps", "done", "integer"),
    ]
