"""Advisories are signed by the signer, as nothing else is, and served as they were signed."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from pathlib import Path
from threading import Thread
from typing import Any

import pysequoia
import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases import tasks
from releases.actions.advisory import change_advisory, publish_advisory
from releases.actions.advisory_document import sign_advisory
from releases.actions.signature import remember_keys
from releases.advisories import csaf
from releases.models import Advisory, AdvisoryDocument, SigningKey
from releases.signer.desk import Server
from releases.signer.local import LocalSigner
from releases.signing import PublicKey, SignerUnavailableError, SigningRefusedError, SocketSigner
from releases.tests import advisories
from tests.shared import shared

NOW = timezone.now().replace(microsecond=0)
HOUR = dt.timedelta(hours=1)
PROVIDER = "/.well-known/csaf/provider-metadata.json"


def document(number: int = 1, identifier: str = "EX-2026-0001", **changes: Any) -> bytes:
    """What the signer looks at of a document."""
    tracking = {
        "id": identifier,
        "version": str(number),
        "initial_release_date": "2026-01-02T03:04:05Z",
        "current_release_date": (NOW - 9 * HOUR + number * HOUR).isoformat(),
    }
    head = {"category": "csaf_security_advisory", "csaf_version": "2.0"}
    return json.dumps({"document": head | {"tracking": tracking | changes}}).encode()


def key_of_advisories(signer: LocalSigner) -> PublicKey:
    return next(found for found in signer.public_keys() if found.scope == "advisories")


def is_signed_by(public: PublicKey, data: bytes, signature: str) -> bool:
    certificate = pysequoia.Cert.from_bytes(public.binary)
    read = pysequoia.Sig.from_bytes(signature.encode())
    try:
        pysequoia.verify(data, store=lambda ids: [certificate], signature=read)
    except Exception:
        return False
    return True


def test_an_advisory_is_signed_with_a_key_of_its_own_and_nothing_else_with_it(
    signer: LocalSigner, tmp_path: Path
) -> None:
    """The signer cannot be used to pass a file for an advisory, nor an advisory for a file."""
    advisory, files, keyring = (
        key_of_advisories(signer),
        signer.file_key(),
        signer.public_key(),
    )
    data = document()
    path = tmp_path / "advisory.json"
    path.write_bytes(data)
    signatures = {"advisory": signer.sign_advisory("EX-2026-0001", data)}
    signatures["file"] = signer.sign_file(path)
    good = {
        (what, public.name)
        for what, signature in signatures.items()
        for public in (advisory, files, keyring)
        if is_signed_by(public, data, signature)
    }
    assert good == {("advisory", "advisories"), ("file", "files")}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"some file", "no advisory"),
        (b"\xff\xfe{", "no advisory"),
        (b"[]", "no advisory"),
        (b'{"document": {}}', "no advisory"),
        (b'{"document": {"tracking": 1, "category": "vex", "csaf_version": "2.0"}}', "is not a"),
        (b'{"document": {}, "document": {}}', "twice"),
        (b"[" * 100_000, "no advisory"),
        (document(6, identifier="OTHER-1"), "another identifier"),
        (document(6, current_release_date="2026-01-02T03:04:05"), "cannot be compared"),
        (document(6, version=6), "cannot be compared"),
        (document(6, version="six"), "no advisory"),
        (document(6, initial_release_date="2026-01-02T03:04:06Z"), "never change"),
        (document(6, current_release_date="2026-01-02T03:04:05Z"), "not later"),
        (document(6, current_release_date="2099-01-02T03:04:05Z"), "in the future"),
        (document(5, more="words"), "does not follow"),
        (document(4), "does not follow"),
    ],
)
def test_what_is_no_later_version_of_the_advisory_is_refused(
    signer: LocalSigner, data: bytes, reason: str
) -> None:
    first = signer.sign_advisory("EX-2026-0001", document(5))
    with pytest.raises(SigningRefusedError, match=reason):
        signer.sign_advisory("EX-2026-0001", data)
    assert is_signed_by(key_of_advisories(signer), document(5), first)
    assert signer.sign_advisory("EX-2026-0001", document(5)), "the same again, after a crash"
    assert signer.sign_advisory("EX-2026-0001", document(6))


@pytest.mark.parametrize("name", ["", "a/b", "../a", "a b"])
def test_a_name_that_no_advisory_has_is_refused(signer: LocalSigner, name: str) -> None:
    with pytest.raises(SigningRefusedError, match="another identifier, or none"):
        signer.sign_advisory(name, document(identifier=name))


def test_the_signer_signs_advisories_behind_its_socket(signer: LocalSigner, tmp_path: Path) -> None:
    with Server(tmp_path / "sock", signer.office) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        there = SocketSigner(tmp_path / "sock")
        signature = there.sign_advisory("EX-2026-0001", document())
        with pytest.raises(SigningRefusedError, match="not follow"):
            there.sign_advisory("EX-2026-0001", document(0))
        server.shutdown()
    assert is_signed_by(key_of_advisories(signer), document(), signature)


# --- what is served -------------------------------------------------------------------------------


@shared(keeps="release_files signer")
def advisory(dana: User, signer: LocalSigner, release_files: Path) -> Advisory:
    return advisories.published(actor=dana, at=timezone.now())


def path_of(advisory: Advisory) -> str:
    year, name = advisory.created_at.year, csaf.file_name(advisory.identifier)
    return f"/advisories/csaf/{year}/{name}"


def test_every_document_has_its_signature_and_digests_beside_it(
    advisory: Advisory, signer: LocalSigner, client: Client
) -> None:
    path = path_of(advisory)
    before = client.get(path).content
    assert client.get(f"{path}.asc").status_code == 404
    tasks.sweep()
    tasks.sweep()
    assert AdvisoryDocument.objects.count() == 1
    body, signature = client.get(path).content, client.get(f"{path}.asc").content.decode()
    assert body == before
    assert signature.startswith("-----BEGIN PGP SIGNATURE-----")
    assert is_signed_by(key_of_advisories(signer), body, signature)
    for name in ("sha256", "sha512"):
        told = client.get(f"{path}.{name}").content.decode()
        assert told.split()[0] == hashlib.new(name, body).hexdigest()
    assert f'{path}.asc"' in client.get(advisory.get_absolute_url()).content.decode()
    folder = client.get(path.rpartition("/")[0] + "/").content.decode()
    for end in ("", ".asc", ".sha256", ".sha512"):
        assert f'href="{path.rpartition("/")[2]}{end}"' in folder


def test_what_was_signed_is_served_byte_for_byte(
    advisory: Advisory, client: Client, dana: User
) -> None:
    """Also when the words around it change: only a new revision has other bytes."""
    tasks.announce(advisory.pk)
    path = path_of(advisory)
    body = client.get(path).content
    advisory.product.name = "Renamed"
    advisory.product.save()
    assert client.get(path).content == body
    said = advisories.statement(summary="Worse.")
    now = timezone.now()
    change_advisory(actor=dana, advisory=advisory, statement=said, at=now, reason="More is known.")
    assert b"Renamed: Worse." in client.get(path).content, "what is new does not wait"
    assert client.get(f"{path}.asc").status_code == 404, "an old signature would be a bad one"
    tasks.sweep()
    assert client.get(f"{path}.asc").status_code == 200
    assert [found.number for found in advisory.documents.all()] == [1, 2]


def test_the_provider_is_a_trusted_one_and_names_the_key(
    advisory: Advisory, signer: LocalSigner, client: Client
) -> None:
    assert client.get(PROVIDER).json()["role"] == "csaf_provider"
    remember_keys(signer=signer)
    told = client.get(PROVIDER).json()
    advisories.validate(told, "provider_json_schema.json")
    assert told["role"] == "csaf_trusted_provider"
    (key,) = told["public_openpgp_keys"]
    assert key["fingerprint"] == key_of_advisories(signer).fingerprint
    served = client.get(key["url"][key["url"].index("/keys/") :])
    assert served.content.decode() == key_of_advisories(signer).armored
    page = client.get("/keys/").content.decode()
    assert "security advisories" in page
    [downloads] = SigningKey.objects.of_files().filter(state=SigningKey.State.ACTIVE)
    assert downloads.scope == ""


def test_nothing_is_signed_before_it_is_public(
    dana: User, signer: LocalSigner, client: Client
) -> None:
    now = timezone.now()
    advisory = advisories.draft(actor=dana, at=now)
    publish_advisory(actor=dana, advisory=advisory, at=now, public_from=now + HOUR)
    tasks.sweep()
    assert not AdvisoryDocument.objects.exists()
    assert sign_advisory(advisory_id=advisory.pk, signer=signer, at=now) is None
    assert client.get(f"{path_of(advisory)}.asc").status_code == 404


def test_without_a_signature_the_document_is_served_and_the_sweep_goes_on(
    advisory: Advisory,
    signer: LocalSigner,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for error in (SignerUnavailableError("away"), SigningRefusedError("no such thing")):

        def fails(identifier: str, document: bytes, error: Exception = error) -> str:
            raise error

        monkeypatch.setattr(signer, "sign_advisory", fails)
        tasks.sweep()
        assert str(error) in caplog.text
    assert client.get(path_of(advisory)).status_code == 200
    monkeypatch.undo()
    sign_advisory(advisory_id=advisory.pk, signer=signer, at=timezone.now())
    assert client.get(f"{path_of(advisory)}.asc").status_code == 200
