"""Keys of the signer: entered, proven, guarded, rotated; by the operator's command."""

from __future__ import annotations

import json
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pysequoia
import pytest

from releases import openpgp
from releases.repository import apt, yum
from releases.signer import certificate, command, key
from releases.signer.local import LocalSigner, secret_of
from releases.signer.register import Entry, Register
from releases.signer.ring import Ring
from releases.signer.secret import KeyUnsafeError
from releases.signing import SigningRefusedError, keys_as_json, keys_from_json
from tests.programs import need

NOON = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=5)
DAY = 86_400
LISTED = yum.Listed("primary", "ab" * 32, 1, "cd" * 32, 2)


def release(date: datetime = NOON) -> bytes:
    return apt.release(apt.Suite("O", "L", "C"), date, ["amd64"], {})


def add(signer: LocalSigner, name: str, **options: object) -> Entry:
    secret = secret_of(name)
    return key.add(signer.register, name=name, user_id="", secret=secret, **options)  # type: ignore[arg-type]


def signers(signatures: bytes) -> list[str]:
    return openpgp.issuers(signatures)


def test_a_rotation_goes_from_announced_to_both_to_the_new_one(signer: LocalSigner) -> None:
    old, new = signer.public_key().fingerprint, add(signer, "newer")
    assert new.state == "next"
    times = iter(range(1, 9))

    def sign() -> tuple[list[str], list[str], list[str]]:
        """Of InRelease, Release.gpg; an rpm and the last of repomd.xml, which zypper reads."""
        serial = next(times)
        signed = signer.sign_release(
            "exampledb/1", serial, release(NOON + timedelta(seconds=serial))
        )
        header = signer.sign_rpm_header("exampledb", b"\x8e\xad\xe8\x01rest")
        repomd = yum.repomd(serial, NOON + timedelta(seconds=serial), [LISTED])
        last = signers(signer.sign_repomd("exampledb/2", serial, repomd))[-1]
        return signers(signed.inline), signers(signed.detached), [*signers(header), last]

    assert sign() == ([old], [old], [old, old])
    key.activate(signer.register, name="newer")
    both = [old, new.fingerprint]
    assert sign() == (both, both, [old, old])
    key.retire(signer.register, name="keyring")
    assert sign() == ([new.fingerprint], [new.fingerprint], [new.fingerprint] * 2)
    states = {public.name: public.state for public in signer.public_keys()}
    told = {"keyring": "retired", "files": "active", "advisories": "active"}
    assert states == told | {"decisions": "active", "newer": "active"}


def test_gpgv_accepts_both_signatures_with_either_key_and_with_both(
    signer: LocalSigner, tmp_path: Path
) -> None:
    (gpgv,) = need("gpgv")
    add(signer, "newer")
    key.activate(signer.register, name="newer")
    signed = signer.sign_release("exampledb/1", 1, release())
    (tmp_path / "Release").write_bytes(release())
    (tmp_path / "Release.gpg").write_bytes(signed.detached)
    (tmp_path / "InRelease").write_bytes(signed.inline)
    keys = [public.binary for public in signer.public_keys() if not public.for_files]
    for chosen, good in ((keys[:1], 1), (keys[1:], 1), (keys, 2)):
        keyring = tmp_path / "keyring.pgp"
        keyring.write_bytes(b"".join(chosen))
        for names in (["InRelease"], ["Release.gpg", "Release"]):
            done = subprocess.run(
                [gpgv, "--status-fd", "1", "--keyring", str(keyring)]
                + [str(tmp_path / name) for name in names],
                capture_output=True,
                text=True,
                errors="replace",  # notations hold random bytes
                check=False,
            )
            assert done.stdout.count("GOODSIG") == good, done.stderr
            assert "BADSIG" not in done.stdout


def test_a_product_and_a_repository_may_have_keys_of_their_own(signer: LocalSigner) -> None:
    product = add(signer, "product", scope="exampledb", at_once=True)
    own = add(signer, "own", scope="exampledb/12.3/debian-12")
    assert own.state == "next"  # another key signs there now
    key.activate(signer.register, name="own")
    general = signer.public_key().fingerprint
    found = {
        name: signers(signer.sign_release(name, 1, release()).detached)
        for name in ("exampledb/12.3/debian-12", "exampledb/12.3/debian-13", "exampledb2/1/x")
    }
    assert found == {
        "exampledb/12.3/debian-12": [own.fingerprint],
        "exampledb/12.3/debian-13": [product.fingerprint],
        "exampledb2/1/x": [general],
    }


def test_a_changed_exposed_or_missing_key_file_is_refused(signer: LocalSigner) -> None:
    register = signer.register
    entry = register.entries()[0]
    path = register.key_path(entry)
    secret = path.read_bytes()
    path.chmod(0o640)
    with pytest.raises(KeyUnsafeError, match="chmod 600"):
        Ring(register)
    path.chmod(0o600)
    path.write_bytes(secret_of("Another"))
    with pytest.raises(KeyUnsafeError, match="not the file that was entered"):
        Ring(register)
    path.unlink()
    with pytest.raises(KeyUnsafeError, match="missing"):
        Ring(register)
    path.write_bytes(secret)
    path.chmod(0o600)
    content = json.loads(register.path.read_bytes())
    content["keys"][0]["fingerprint"] = "AB" * 20
    register.path.write_text(json.dumps(content))
    with pytest.raises(KeyUnsafeError, match="another fingerprint"):
        Ring(register)
    assert len(signer.public_keys()) == 4  # the running signer goes on with the keys it has
    register.path.write_text("{}")
    with pytest.raises(KeyUnsafeError, match="cannot be read"):
        register.entries()


def test_steps_that_make_no_sense_are_refused(signer: LocalSigner) -> None:
    register = signer.register
    with pytest.raises(key.KeyRefusedError, match="nothing would sign"):
        key.retire(register, name="keyring")
    with pytest.raises(key.KeyRefusedError, match="no key"):
        key.activate(register, name="unknown")
    with pytest.raises(key.KeyRefusedError, match="not next"):
        key.activate(register, name="keyring")
    with pytest.raises(key.KeyRefusedError, match="entered already"):
        key.add(register, name="again", user_id="", secret=secret_of("Test"))
    with pytest.raises(key.KeyRefusedError, match="never replaced"):
        add(signer, "keyring")
    for name, scope in (("Upper", ""), ("../x", ""), ("x", "/etc"), ("x", "a//b")):
        with pytest.raises(key.KeyRefusedError):
            key.add(register, name=name, user_id="", secret=secret_of("Third"), scope=scope)
    add(signer, "newer")
    with pytest.raises(key.KeyRefusedError, match="let it sign first"):
        key.add(register, name="third", user_id="", secret=secret_of("Third"))
    key.activate(register, name="newer")
    key.retire(register, name="keyring")
    with pytest.raises(key.KeyRefusedError, match="retired already"):
        key.retire(register, name="keyring")
    with pytest.raises(key.KeyRefusedError, match="lies in a file"):
        key.refresh(register, name="newer")


def test_without_any_key_nothing_is_signed(signer: LocalSigner, tmp_path: Path) -> None:
    only = key.add(
        Register(_folder(tmp_path)), name="own", user_id="", secret=secret_of("Test"), scope="a"
    )
    ring = Ring(Register(tmp_path / "empty"))
    assert ring.public_keys()[0].fingerprint == only.fingerprint
    with pytest.raises(SigningRefusedError, match="no key for b"):
        ring.for_index("b/1/c")
    with pytest.raises(SigningRefusedError, match="plain files"):
        ring.for_files()


def _folder(tmp_path: Path) -> Path:
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


@pytest.mark.parametrize("algorithm", ["rsa2048", "ed25519"])
def test_a_key_gets_a_later_end_and_stays_itself(algorithm: str, signer: LocalSigner) -> None:
    now = int(time.time())
    secret = certificate.generate("K <k@example.org>", created=now - DAY, algorithm=algorithm)
    entry = key.add(signer.register, name="own", user_id="", secret=secret, scope="a")
    assert (entry.expires, entry.algorithm) == (None, algorithm)
    with pytest.raises(ValueError, match="expired already"):
        key.extend(signer.register, name="own", expires=now - 9)
    extended = key.extend(signer.register, name="own", expires=now + 9 * DAY)
    assert extended.fingerprint == entry.fingerprint
    public = pysequoia.Cert.from_bytes(signer.public_keys()[-1].binary)
    assert public.expiration is not None
    assert int(public.expiration.timestamp()) == now + 9 * DAY
    with pytest.raises(key.KeyRefusedError, match="later end"):
        key.extend(signer.register, name="own", expires=now + 8 * DAY)


def test_only_a_plain_key_that_signs_by_itself_is_entered(signer: LocalSigner) -> None:
    sequoia = bytes(pysequoia.Tsk.generate("S <s@example.org>"))
    for secret in (b"", b"\x99", sequoia[:40], signer.public_key().binary):
        with pytest.raises((ValueError, IndexError)):
            key.add(signer.register, name="x", user_id="", secret=secret)
    with pytest.raises((KeyUnsafeError, ValueError, key.KeyRefusedError)):
        key.add(signer.register, name="x", user_id="", secret=sequoia)


def test_the_first_keys_of_a_folder_are_made_or_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    original = certificate.generate

    def small(user_id: str, **options: object) -> bytes:
        made.append(user_id)
        return original(user_id, **options | {"algorithm": "ed25519"})  # type: ignore[arg-type]

    monkeypatch.setattr(certificate, "generate", small)
    register = Register(tmp_path / "signer")
    register.folder.mkdir()
    (register.folder / "key.pgp").write_bytes(secret_of("Test"))
    key.prepare(register, "K <k@example.org>")
    key.prepare(register, "K <k@example.org>")
    assert made == [f"{what} of K <k@example.org>" for what in ("Files", "Advisories", "Decisions")]
    assert [(entry.name, entry.for_files) for entry in register.entries()] == [
        ("keyring", False),
        ("files", True),
        ("advisories", True),
        ("decisions", True),
    ]
    assert not (register.folder / "key.pgp").exists()
    assert register.entries()[1].expires is not None


def test_the_operator_does_it_all_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> str:
        assert command.run(tmp_path, list(words)) == 0
        return capsys.readouterr().out

    assert "signs" in run(
        "key", "add", "first", "--algorithm", "ed25519", "--expires", "2031-12-31"
    )
    file = tmp_path / "second.asc"
    file.write_text(str(pysequoia.Tsk.from_bytes(secret_of("Second"))))
    assert "announced" in run("key", "import", "second", str(file))
    assert "signs" in run("key", "activate", "second")
    assert "retired" in run("key", "retire", "first")
    assert "expires on 2033-01-01" in run("key", "extend", "second", "--expires", "2032-12-31")
    assert "for exampledb" in run(
        *("key", "add", "third", "--algorithm", "ed25519", "--for", "exampledb")
    )
    listed = run("key", "list")
    assert listed.index("first") < listed.index("second") < listed.index("third")
    assert run("log", "check") == "0 lines, none changed\n"


def test_keys_go_over_the_wire_whole(signer: LocalSigner) -> None:
    keys = signer.public_keys()
    assert keys_from_json(keys_as_json(keys)) == keys


def test_a_key_that_an_agent_holds_signs_like_one_in_a_file(
    signer: LocalSigner, tmp_path_factory: pytest.TempPathFactory
) -> None:
    gpg, gpgconf = need("gpg", "gpgconf")
    home = tmp_path_factory.mktemp("g", numbered=True)
    home.chmod(0o700)

    def run(*words: str) -> str:
        words = (gpg, "--homedir", str(home), "--batch", "--passphrase", "", *words)
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    try:
        run("--quick-gen-key", "A <a@example.org>", "ed25519", "sign", "2d")
        fingerprint = run("--list-keys", "--with-colons").partition("fpr:")[2].split(":")[8]
        with pytest.raises(KeyUnsafeError, match="gpg"):
            key.add_from_agent(signer.register, name="x", home=home, fingerprint="AB" * 20)
        held = key.add_from_agent(
            signer.register,
            name="held",
            home=home,
            fingerprint=fingerprint,
            scope="a",
            at_once=True,
        )
        assert (held.fingerprint, held.algorithm) == (fingerprint, "ed25519")
        run("--quick-set-expire", fingerprint, "9d")
        assert (key.refresh(signer.register, name="held").expires or 0) > (held.expires or 0)
        with pytest.raises(key.KeyRefusedError, match="quick-set-expire"):
            key.extend(signer.register, name="held", expires=2**31)
        (ring,) = Ring(signer.register).for_index("a/1/b")
        public = pysequoia.Cert.from_bytes(ring.certificate)
        signed = signer.sign_release("a/1/b", 1, release())
        found = pysequoia.verify(signed.inline, store=lambda ids: [public])
        assert found.bytes == release().rstrip(b"\n")
        signature = pysequoia.Sig.from_bytes(signed.detached)
        pysequoia.verify(release(), store=lambda ids: [public], signature=signature)
        assert signer.sign_rpm_header("a", b"\x8e\xad\xe8\x01rest")[0] == 0xC2
        plain = home / "plain"
        plain.write_bytes(b"some bytes")
        with plain.open("rb") as file:
            alone = pysequoia.Sig.from_bytes(openpgp.armor(ring.sign_open_file(file.fileno())))
        pysequoia.verify(b"some bytes", store=lambda ids: [public], signature=alone)
    finally:
        subprocess.run([gpgconf, "--homedir", str(home), "--kill", "all"], check=False)
