"""Keys and repositories that sign runs: registered, used, revoked."""

import datetime as dt
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from benchmarks import tasks
from benchmarks.actions.signer import (
    TakenError,
    keep_ci_keys,
    register_key,
    register_repository,
    revoke_signer,
)
from benchmarks.actions.upload import Said, upload_run
from benchmarks.ci_keys import SOURCES
from benchmarks.documents import RefusedError
from benchmarks.models import CiKey, Run, Signer, Trust
from benchmarks.models.signer import CI_ISSUERS
from benchmarks.tests.test_trust import CLAIMS, KEY, NOW, RAW, rsa_jwk, token
from benchmarks.tests.uploads import hyperfine, native
from benchmarks.trust import identity, signatures
from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases.mirrors.fetch import Rules
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
FILE = json.dumps(hyperfine([1.0, 1.1, 0.9, 1.0, 1.05])).encode()
ISSUER = str(CLAIMS["iss"])


def registered(owner: User) -> Signer:
    return register_key(actor=owner, name="bench machine", key=RAW.hex(), at=NOW)


def send(actor: User | None, raw: bytes = FILE, **said: Any) -> Run:
    return upload_run(actor=actor, raw=raw, said=Said(**said), at=NOW).run


def beside(file: bytes = FILE) -> dict[str, Any]:
    return {"signature": KEY.sign(file).hex(), "key_id": signatures.key_id(RAW)}


def test_a_file_signed_by_a_registered_key_stands_on_the_third_rung(
    charlie: User, client: Client
) -> None:
    signer = registered(charlie)
    run = send(charlie, **beside())
    assert (run.trust, run.signer) == (Trust.SIGNED, signer)
    text = client.get(run.get_absolute_url()).content.decode()
    assert f"Ed25519 {signer.key_id[:16]}" in text
    assert "never that the numbers are true" in text


def test_a_signature_inside_the_own_format_counts(charlie: User) -> None:
    registered(charlie)
    data = native([[1.0]])
    value = KEY.sign(signatures.canonical(data)).hex()
    data["signature"] = {"alg": "ed25519", "key_id": signatures.key_id(RAW), "value": value}
    assert send(charlie, json.dumps(data, indent=2).encode()).trust == Trust.SIGNED
    data["results"][0]["samples"] = [[2.0]]
    with pytest.raises(RefusedError, match="does not fit"):
        send(charlie, json.dumps(data).encode())


def test_a_signature_that_does_not_fit_is_refused(charlie: User) -> None:
    registered(charlie)
    with pytest.raises(RefusedError, match="does not fit"):
        send(charlie, **beside(FILE + b" "))
    with pytest.raises(RefusedError, match="not an Ed25519 signature"):
        send(charlie, signature="?", key_id="x")
    assert not Run.objects.exists()


def test_a_signature_of_nobody_or_of_somebody_else_does_not_count(charlie: User, bob: User) -> None:
    unknown = send(charlie, **beside())
    assert unknown.trust == Trust.SIGNED_IN
    assert "not registered here" in unknown.remarks[-1]
    signer = registered(bob)
    foreign = send(charlie, FILE + b" ", **beside(FILE + b" "))
    assert foreign.trust == Trust.SIGNED_IN
    assert "of another account" in foreign.remarks[-1]
    assert send(None, FILE + b"  ", **beside(FILE + b"  ")).trust == Trust.ANONYMOUS
    assert revoke_signer(actor=bob, signer=signer, at=NOW)
    assert not revoke_signer(actor=bob, signer=signer, at=NOW)
    assert send(bob, **beside()).trust == Trust.SIGNED_IN
    with pytest.raises(TakenError):  # a key that was revoked stays so
        registered(bob)


def ci_token(raw: bytes = FILE, **claims: Any) -> str:
    sha256 = hashlib.sha256(raw).hexdigest()
    return token(aud=identity.audience(settings.BASE_URL, sha256), **claims)


def test_the_ci_of_a_registered_repository_signs(charlie: User, bob: User) -> None:
    keep_ci_keys(issuer=ISSUER, keys={"keys": [rsa_jwk()]}, at=NOW)
    register_repository(actor=charlie, issuer=ISSUER, repository="acme/bench", at=NOW)
    run = send(charlie, identity=ci_token())
    assert (run.trust, run.signed_as.split()[0]) == (Trust.SIGNED, "acme/bench")
    for actor in (bob, None):
        foreign = send(actor, FILE + b" ", identity=ci_token(FILE + b" "))
        assert foreign.trust < Trust.SIGNED
        assert "has not registered" in foreign.remarks[-1]


def test_a_token_that_is_not_good_is_refused(charlie: User) -> None:
    with pytest.raises(RefusedError, match="no key of this CI"):
        send(charlie, identity=ci_token())
    keep_ci_keys(issuer=ISSUER, keys={"keys": [rsa_jwk()]}, at=NOW)
    with pytest.raises(RefusedError, match="not made for this file"):
        send(charlie, identity=ci_token(b"another"))
    with pytest.raises(RefusedError, match="not an identity token"):
        send(charlie, identity="x")


def test_two_people_may_register_one_repository_and_one_person_once(
    charlie: User, bob: User
) -> None:
    first = register_repository(actor=charlie, issuer=ISSUER, repository="a/b", at=NOW)
    register_repository(actor=bob, issuer=ISSUER, repository="a/b", at=NOW)
    with pytest.raises(TakenError):
        register_repository(actor=charlie, issuer=ISSUER, repository="a/b", at=NOW)
    revoke_signer(actor=charlie, signer=first, at=NOW)
    register_repository(actor=charlie, issuer=ISSUER, repository="a/b", at=NOW)
    for issuer, repository in (("https://evil.example", "a/b"), (ISSUER, "a")):
        with pytest.raises(ValueError, match="a CI"):
            register_repository(actor=bob, issuer=issuer, repository=repository, at=NOW)


def test_keys_are_registered_and_revoked_on_a_page(charlie: User, client: Client) -> None:
    path = "/benchmarks/signers/"
    assert client.get(path).status_code == 302
    sign_in(charlie, client)
    assert b"Nothing registered yet" in client.get(path).content
    pem = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    assert client.post(path, {"name": "Mine", "key": pem}).status_code == 302
    again = client.post(path, {"name": "Mine", "key": pem})
    assert (again.status_code, b"registered already" in again.content) == (422, True)
    assert b"not a public key" in client.post(path, {"name": "x", "key": "?"}).content
    assert client.post(path, {"name": "", "key": ""}).status_code == 422
    assert client.post(path, {"issuer": ISSUER, "repository": "no"}).status_code == 422
    assert client.post(path, {"issuer": ISSUER, "repository": "a/b"}).status_code == 302
    text = client.get(path).content.decode()
    assert "GitHub Actions" in text
    assert text.count("in force") == 2
    signer = Signer.objects.get(name="Mine")
    client.post(f"{path}{signer.pk}/revoke/")
    assert "revoked" in client.get(path).content.decode()
    verbs = AuditEntry.objects.filter(verb__startswith="benchmark_signer.")
    assert verbs.count() == 3


def test_the_keys_of_a_ci_are_kept_by_a_command(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [rsa_jwk()]}))
    for _time in range(2):
        call_command("benchmark_ci_keys", ISSUER, str(file))
    key = CiKey.objects.get()
    assert str(key) == f"{ISSUER} k1"
    assert abs(key.kept_at - dt.datetime.now(dt.UTC)) < dt.timedelta(minutes=5)
    for wrong in ("{}", "nonsense"):
        file.write_text(wrong)
        with pytest.raises(CommandError):
            call_command("benchmark_ci_keys", ISSUER, str(file))
    with pytest.raises(ValueError, match="does not know"):
        keep_ci_keys(issuer="https://evil.example", keys={"keys": []}, at=NOW)


def answering(monkeypatch: pytest.MonkeyPatch, body: bytes) -> list[str]:
    asked: list[str] = []

    async def answer(url: str, rules: Rules, *, most: int) -> bytes:
        assert not rules.private
        asked.append(url)
        return body

    monkeypatch.setattr("benchmarks.ci_keys.fetch", answer)
    return asked


def test_keys_are_fetched_of_the_cis_that_are_named_and_of_no_other(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    asked = answering(monkeypatch, json.dumps({"keys": [rsa_jwk()]}).encode())
    tasks.fetch_ci_keys()
    assert asked == []
    settings.BENCHMARK_CI_KEYS = ["github"]
    tasks.fetch_ci_keys()
    assert asked == ["https://token.actions.githubusercontent.com/.well-known/jwks"]
    assert CiKey.objects.get().issuer == ISSUER


@pytest.mark.parametrize("body", [b"<html>", b"{}", b'{"keys": []}', b'{"keys": [{"kid": "x"}]}'])
def test_an_answer_that_holds_no_key_leaves_those_of_before(
    monkeypatch: pytest.MonkeyPatch, settings: Any, body: bytes
) -> None:
    keep_ci_keys(issuer=ISSUER, keys={"keys": [rsa_jwk()]}, at=NOW)
    settings.BENCHMARK_CI_KEYS = ["github"]
    answering(monkeypatch, body)
    tasks.fetch_ci_keys()
    assert CiKey.objects.get().key_id == "k1"


def test_every_ci_that_is_fetched_is_one_that_signs() -> None:
    assert {issuer for issuer, _address in SOURCES.values()} == set(CI_ISSUERS)
    assert all(address.startswith(f"{issuer}/") for issuer, address in SOURCES.values())
