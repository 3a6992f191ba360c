"""The signed bundle of what was decided: written once, signed, only added to."""

import json
from datetime import timedelta
from pathlib import Path

import pysequoia
import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client

from governance import tasks
from governance.actions.bundle import UnsoundError, sign_bundle
from governance.actions.records import write_records
from governance.actions.redaction import redact
from governance.actions.superseding import supersede
from governance.bundle import check_bundle
from governance.models import Body, Bundle, Motion, Record, RuleSet
from governance.sections import handout
from governance.tests.bundles import complaints, files_of, sealed
from governance.tests.conftest import DAY, START, make_decided, make_vote
from portal.accounts.models import User
from releases.signer import key as keys
from releases.signer.local import LocalSigner, secret_of
from releases.signing import SignerUnavailableError, SigningRefusedError, SocketSigner
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def motions(board: Body, directors: list[User]) -> list[Motion]:
    """One carried, with a vote that was changed and a recusal; one failed; one open."""
    carried = make_decided(
        board, directors, "Buy it", {0: "yes", 1: "yes", 2: "yes", 3: "no", 4: "recuse"}
    )
    failed = make_decided(board, directors, "Sell it", {0: "yes", 1: "no", 2: "no", 3: "no"}, 9)
    return [carried, failed, make_vote(board, directors, "Still open")]


def test_all_that_was_decided_is_in_it_and_nothing_else(
    motions: list[Motion], signer: LocalSigner
) -> None:
    files = files_of(sealed(signer))
    recorded = sorted(path for path in files if path.startswith("records/"))
    assert recorded == [
        "records/motions/buy-it.json",
        "records/motions/sell-it.json",
        "records/rules/board-ordinary-1.json",
    ]
    document = json.loads(files["records/motions/buy-it.json"])
    assert document["text"] == motions[0].text
    assert [vote["choice"] for vote in document["votes"]] == ["yes", "yes", "yes", "no", "recuse"]
    assert [row["name"] for row in document["roster"]][4:] == ["Eve", "", ""]
    assert document["result"]["outcome"] == "adopted"
    assert b"The offer was 400 each" not in b"".join(files.values()), "papers are never public"
    assert b"@example.org" not in b"".join(
        data for path, data in files.items() if path.startswith("records/")
    )


def test_a_lot_is_drawn_again(board: Body, directors: list[User], signer: LocalSigner) -> None:
    RuleSet.objects.filter(body=board).update(tie="lot", threshold="simple", per_class=True)
    motion = make_decided(board, directors, "Heads", {0: "yes", 1: "yes", 2: "no", 3: "no"})
    files = files_of(sealed(signer))
    document = json.loads(files["records/motions/heads.json"])
    assert document["lot"] == {"nonce": motion.lot.nonce, "commitment": motion.lot.commitment}
    assert document["result"]["count"]["lot"] in {"yes", "no"}
    assert [share["name"] for share in document["result"]["classes"]]


def test_the_checker_finds_nothing_wrong_and_says_what_it_did(
    motions: list[Motion], signer: LocalSigner, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = sealed(signer)
    path = tmp_path / "decisions.zip"
    path.write_bytes(bytes(bundle.packed or b""))
    assert check_bundle.main([str(path), "--key", bundle.key.fingerprint]) == 0
    told = capsys.readouterr().out
    assert "2 motions, counted again" in told
    assert "1 versions of rules" in told
    assert bundle.head in told
    assert check_bundle.main([str(path), "--key", "A" * 40]) == 1
    assert "another key signed it" in capsys.readouterr().out


def test_other_programs_read_the_signature_too(motions: list[Motion], signer: LocalSigner) -> None:
    files = files_of(sealed(signer))
    certificate = pysequoia.Cert.from_bytes(files["key.asc"])
    signature = pysequoia.Sig.from_bytes(files["manifest.json.asc"])
    pysequoia.verify(files["manifest.json"], store=lambda ids: [certificate], signature=signature)


def test_what_is_decided_later_is_added(
    board: Body, directors: list[User], motions: list[Motion], signer: LocalSigner
) -> None:
    first = sealed(signer, START)
    assert write_records() == 0
    assert sign_bundle(signer=signer) is None, "nothing new, nothing to sign"
    make_decided(board, directors, "Lend it", {0: "yes", 1: "yes", 2: "yes", 3: "yes"}, 8)
    second = sealed(signer, START + timedelta(seconds=30))
    assert (first.size, second.size) == (3, 4)
    older, newer = first.manifest, files_of(second)
    assert not list(check_bundle.problems(newer, older={"manifest.json": older.encode()}))
    first.refresh_from_db()
    assert first.packed is None, "the newest archive holds it all"


def test_a_record_that_changed_is_found_with_an_older_bundle(
    motions: list[Motion], signer: LocalSigner
) -> None:
    files = files_of(sealed(signer))
    older = json.loads(files["manifest.json"])
    older["records"][1]["sha256"] = "0" * 64
    older["records"].append(older["records"][0])
    found = list(check_bundle.problems(files, older={"manifest.json": json.dumps(older).encode()}))
    assert found == [
        "records/motions/sell-it.json was another record in the older bundle",
        "the older bundle has 4 records: some were taken away",
    ]


def test_the_signer_refuses_another_past(
    board: Body, directors: list[User], motions: list[Motion], signer: LocalSigner
) -> None:
    """Who rules over database and worker still gets no signature for a history of their own."""
    sealed(signer)
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE governance_record")
    make_decided(board, directors, "Before all", {0: "yes", 1: "yes", 2: "yes", 3: "yes"}, 30)
    write_records()
    with pytest.raises(SigningRefusedError, match="earlier decisions never change"):
        sign_bundle(signer=signer)


def test_a_list_that_lost_its_end_is_refused(motions: list[Motion], signer: LocalSigner) -> None:
    sealed(signer)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE governance_record DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM governance_record WHERE number = 3")
    with pytest.raises(SigningRefusedError, match="serial 2 does not follow 3"):
        sign_bundle(signer=signer)


def test_the_same_list_is_signed_again_with_a_new_key(
    motions: list[Motion],
    signer: LocalSigner,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = sealed(signer, START)
    secret = secret_of("Newer decisions", "ed25519")
    keys.add(
        signer.register,
        name="decisions-2",
        user_id="",
        secret=secret,
        scope="decisions",
        for_files=True,
        at_once=True,
    )
    keys.retire(signer.register, name="decisions")
    second = sign_bundle(signer=signer, at=START)
    assert second is not None
    assert (second.head, second.key == first.key) == (first.head, False)
    assert complaints(bytes(second.packed or b"")) == []
    assert sign_bundle(signer=signer, at=START) is None
    page = client.get("/governance/decisions/").content.decode()
    assert page.count("the same records, signed with another key") == 1
    monkeypatch.setattr(handout, "README", "Newer words.")
    third = sign_bundle(signer=signer, at=START)
    assert third is not None
    assert third.head == first.head
    page = client.get("/governance/decisions/").content.decode()
    assert page.count("the same records, with another checker") == 1


def test_nothing_is_signed_that_does_not_pass_its_own_check(
    motions: list[Motion], signer: LocalSigner, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_records()
    monkeypatch.setattr(check_bundle, "problems", lambda *args, **kw: ["wrong"])
    with pytest.raises(UnsoundError, match="wrong"):
        sign_bundle(signer=signer)
    assert not Bundle.objects.exists()


def test_records_stay_as_they_are(motions: list[Motion]) -> None:
    write_records()
    for change in ("UPDATE governance_record SET body = ''", "DELETE FROM governance_record"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)
    assert str(Record.objects.get(number=1)) == "records/motions/buy-it.json"


def test_what_changes_later_is_another_edition(
    board: Body, directors: list[User], motions: list[Motion], signer: LocalSigner
) -> None:
    """That another resolution took its place; what was decided stays as it was."""
    sealed(signer, START)
    later = make_decided(board, directors, "Lease it", dict.fromkeys(range(4), "yes"), 8)
    later.supersedes = motions[0]
    supersede(later, START)
    bundle = sealed(signer, START + timedelta(seconds=30))
    document = json.loads(files_of(bundle)["records/motions/buy-it.2.json"])
    assert (document["state"], document["superseded_by"]) == ("superseded", later.resolution)
    assert complaints(bytes(bundle.packed or b"")) == []


def test_the_sweep_goes_on_without_the_signer(
    motions: list[Motion], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Absent(LocalSigner):
        def __init__(self) -> None:
            return

        def public_keys(self) -> list[object]:  # type: ignore[override]
            raise SignerUnavailableError("nobody there")

    monkeypatch.setattr("releases.tasks.signer", Absent)
    tasks.sign_decisions()
    assert Record.objects.count() == 3
    assert "the sweep tries again" in caplog.text

    def refuses() -> None:
        raise SigningRefusedError("no")

    monkeypatch.setattr("releases.tasks.signer", refuses)
    tasks.sign_decisions()
    assert "stays unsigned: no" in caplog.text


def test_the_command_writes_the_bundle(
    motions: list[Motion],
    signer: LocalSigner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "decisions.zip"
    call_command("export_decisions", str(path))
    assert complaints(path.read_bytes()) == []
    assert "3 records, head" in capsys.readouterr().out
    motion = motions[2]
    Motion.objects.filter(pk=motion.pk).update(state="failed", decided_at=START + DAY)
    write_records(at=START + 2 * DAY)
    monkeypatch.setattr(signer, "clock", signer.clock)
    monkeypatch.setattr("releases.tasks.signer", lambda: SocketSigner(tmp_path / "nobody"))
    call_command("export_decisions", str(path))
    printed = capsys.readouterr()
    assert "1 newer records wait for the signer" in printed.out
    assert "not signed anew" in printed.err


def test_the_command_says_when_there_is_nothing(
    db: None, signer: LocalSigner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CommandError, match="nothing was signed yet"):
        call_command("export_decisions", str(tmp_path / "x.zip"))

    def refuses() -> None:
        raise SigningRefusedError("no")

    monkeypatch.setattr("releases.tasks.signer", refuses)
    with pytest.raises(CommandError, match="not signed: no"):
        call_command("export_decisions", str(tmp_path / "x.zip"))


def test_everybody_downloads_it(motions: list[Motion], signer: LocalSigner, client: Client) -> None:
    assert client.get("/governance/decisions.zip").status_code == 404
    assert client.get("/governance/decisions.json").status_code == 404
    assert b"Nothing was signed yet" in client.get("/governance/decisions/").content
    bundle = sealed(signer, START)
    page = client.get("/governance/decisions/").content.decode()
    assert bundle.key.fingerprint in page
    answer = client.get("/governance/decisions.zip")
    assert complaints(answer.content) == []
    assert answer["Content-Disposition"].endswith('-3.zip"')
    again = client.get("/governance/decisions.zip", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    told = client.get("/governance/decisions.json").json()
    assert (told["size"], told["head"]) == (3, bundle.head)


def test_a_passage_that_was_taken_out_is_in_no_bundle_any_more(
    motions: list[Motion], signer: LocalSigner, frank: User
) -> None:
    """The edition from before is left out, its digest stays, and the vote is still counted."""
    sealed(signer, START)
    redact(actor=frank, motion=motions[0], passage="**two** modules", because="A price.")
    files = files_of(sealed(signer, START + timedelta(seconds=30)))
    assert b"**two** modules are bought" not in files["records/motions/buy-it.2.json"]
    assert "records/motions/buy-it.json" not in files
    manifest = json.loads(files["manifest.json"])
    first = next(row for row in manifest["records"] if row["path"].endswith("buy-it.json"))
    assert first["withheld"] is True
    assert list(check_bundle.problems(files)) == []
    last = next(row for row in manifest["records"] if row["path"].endswith("buy-it.2.json"))
    del files[last["path"]]
    found = list(check_bundle.problems(files))
    assert "records/motions/buy-it.json was left out, and nothing says why" in found
