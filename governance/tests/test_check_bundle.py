"""The checker finds every byte that was changed, and everything that does not add up."""

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from governance.bundle import archive, chain, check_bundle, kinds, plain, records, signature
from governance.bundle.check_bundle import main
from governance.tally.rules import Rules, Threshold
from governance.tests.bundles import complaints, flipped, forged, sealed
from governance.tests.conftest import make_decided
from releases import decisions

pytestmark = pytest.mark.django_db
Document = dict[str, Any]
FLIPS = 120
CARRIED = "records/motions/buy-it.json"
RULES = "records/rules/board-ordinary-1.json"


@pytest.fixture(scope="module")
def shelf() -> dict[str, bytes]:
    """The archive that all these tests look at, once it is made."""
    return {}


@pytest.fixture
def packed(shelf: dict[str, bytes], request: pytest.FixtureRequest) -> bytes:
    """A carried motion with a recusal, a failed one, and their rules."""
    if not shelf:
        board, people = (request.getfixturevalue(name) for name in ("board", "directors"))
        make_decided(board, people, "Buy it", {0: "yes", 1: "yes", 2: "yes", 3: "no", 4: "recuse"})
        make_decided(board, people, "Sell it", {0: "yes", 1: "no", 2: "no", 3: "no"}, 9)
        shelf["packed"] = bytes(sealed(request.getfixturevalue("signer")).packed or b"")
    return shelf["packed"]


@pytest.fixture
def files(packed: bytes) -> dict[str, bytes]:
    return archive.unpack(packed)


def test_a_flipped_byte_is_found_wherever_it_is(packed: bytes) -> None:
    """Anywhere in the archive: between the files too, where nothing is said that matters."""
    chosen = Random(5)
    places = [0, len(packed) - 1, *chosen.sample(range(len(packed)), FLIPS)]
    unnoticed = [at for at in places if not complaints(flipped(packed, at, chosen.randrange(8)))]
    assert unnoticed == []


def test_a_flipped_byte_of_every_file_is_found_by_its_name(files: dict[str, bytes]) -> None:
    """In the folder that the archive was unpacked into."""
    chosen = Random(6)
    for path, data in files.items():
        for at in {0, len(data) - 1, *chosen.sample(range(len(data)), 2)} if data else ():
            found = list(check_bundle.problems(files | {path: flipped(data, at)}))
            assert found, f"byte {at} of {path}"
            assert path in found[0] or "manifest.json is not signed" in found[0]


def test_every_byte_of_the_signature_counts(files: dict[str, bytes]) -> None:
    """Also where other programs do not look: line ends, the check sum, what is not signed."""
    signed = files["manifest.json.asc"]
    for at in range(len(signed)):
        changed = files | {"manifest.json.asc": flipped(signed, at)}
        assert list(check_bundle.problems(changed)), f"byte {at}"


@pytest.mark.proof
def test_each_of_five_thousand_bytes_of_a_bundle_counts(packed: bytes) -> None:
    look_at_bytes(packed, Random(7).sample(range(len(packed)), 5_000))


@pytest.mark.proof_full
def test_each_byte_of_a_bundle_counts(packed: bytes) -> None:
    look_at_bytes(packed, range(len(packed)))


def look_at_bytes(packed: bytes, places: Sequence[int]) -> None:
    assert [at for at in places if not complaints(flipped(packed, at, at % 8))] == []


def test_a_file_too_many_or_too_few_is_found(files: dict[str, bytes]) -> None:
    assert list(check_bundle.problems(files | {"more.json": b"{}"})) == [
        "more.json is not in the list"
    ]
    without = {path: data for path, data in files.items() if path != CARRIED}
    assert f"{CARRIED} is missing" in list(check_bundle.problems(without))
    alone = {path: data for path, data in files.items() if path != "key.asc"}
    assert list(check_bundle.problems(alone)) == [
        "key.asc is missing: nothing can be verified without it"
    ]


@pytest.mark.parametrize(
    ("path", "change", "told"),
    [
        (CARRIED, lambda d: d.update(text="Other."), "not the one that was put to the vote"),
        (CARRIED, lambda d: d["votes"][3].update(choice="yes"), "the result is another one"),
        (CARRIED, lambda d: d["votes"][0].update(choice="no"), "and recorded as adopted"),
        (CARRIED, lambda d: d["votes"].append(d["votes"][0]), "vote 1 is there twice"),
        (CARRIED, lambda d: d["votes"][0].update(seat=99), "seat 99 voted and is not on"),
        (CARRIED, lambda d: d["votes"][0].update(seat=7), "seat 7 has no voter on the roster"),
        (
            CARRIED,
            lambda d: d["votes"][0].update(cast="2999-01-01T00:00:00Z"),
            "none was open",
        ),
        (CARRIED, lambda d: d["roster"].append(d["roster"][0]), "is on the roster twice"),
        (CARRIED, lambda d: d["roster"][5].update(is_filled=True), "the result is another one"),
        (CARRIED, lambda d: d.update(state="failed"), "and recorded as failed"),
        (CARRIED, lambda d: d.update(resolution=""), "what is carried has a number"),
        (CARRIED, lambda d: d.update(resolution="2026-07"), "not numbered without a gap"),
        (CARRIED, lambda d: d.update(rules="rules/none"), "are not in the bundle"),
        (CARRIED, lambda d: d.update(lot={"nonce": "00", "commitment": "0"}), "nonce of the lot"),
        (CARRIED, lambda d: d.pop("votes"), "does not read as one (KeyError"),
        (CARRIED, lambda d: d["votes"][0].update(choice="maybe"), "does not read as one"),
        (RULES, lambda d: d["numbers"].update(minimum_yes=5), "the result is another one"),
        (RULES, lambda d: d["numbers"].update(ratio="many"), "nothing can be counted"),
        (RULES, lambda d: d["numbers"].update(unknown=1), "Rules has no unknown"),
    ],
)
def test_what_does_not_add_up_is_found(
    files: dict[str, bytes], path: str, change: Callable[[Document], object], told: str
) -> None:
    found = forged(files, path, change)
    assert any(told in line for line in found), found


def test_an_edition_that_says_otherwise_is_found(files: dict[str, bytes]) -> None:
    manifest = json.loads(files["manifest.json"])
    other = json.loads(files[CARRIED]) | {"title": "Sell it all", "state": "superseded"}
    data = chain.canonical(other)
    row = next(row for row in manifest["records"] if row["path"] == CARRIED)
    path = records.path_of(row["name"], 2)
    size = len(manifest["records"]) + 1
    manifest["records"].append(row | {"number": size, "path": path, "sha256": chain.digest(data)})
    manifest["size"] = size
    manifest["head"] = list(chain.heads(row["sha256"] for row in manifest["records"]))[-1]
    found = list(records.problems(files | {path: data}, manifest))
    assert found == [f"{path} says otherwise about “title” than before"]
    manifest["records"][0]["number"] = 7
    manifest["head"] = ""
    found = list(records.problems(files | {path: data}, manifest))
    assert "the records are not numbered from 1" in found
    assert "the head of the list does not stand for its records" in found


def test_a_kind_that_the_checker_does_not_know_is_told(
    files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(kinds.KINDS, "rules")
    assert list(check_bundle.problems(files)) == []
    assert "  1 of kind rules, which this checker only hashes" in list(check_bundle.told(files))


def test_the_checker_in_the_bundle_runs_without_the_portal(packed: bytes, tmp_path: Path) -> None:
    """Python, `cryptography`, and what lies in the bundle: no Django, no folder of ours."""
    path = tmp_path / "decisions.zip"
    path.write_bytes(packed)
    with zipfile.ZipFile(path) as unzipped:
        unzipped.extractall(tmp_path)
    folder = tmp_path / "decisions"
    words = [sys.executable, "-W", "error", "checker/check_bundle.py"]
    environment = {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [*words, str(folder)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 motions, counted again" in done.stdout
    assert "compare this key" in done.stdout
    shutil.move(folder / CARRIED, folder / "records/elsewhere.json")
    assert main([str(folder)]) == 1


def test_what_is_no_bundle_is_told(
    packed: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none.zip")]) == 2
    assert "cannot be read: No such file" in capsys.readouterr().out
    anew = tmp_path / "anew.zip"
    with zipfile.ZipFile(anew, "w", zipfile.ZIP_DEFLATED) as target:
        for path, data in archive.unpack(packed).items():
            target.writestr(archive.TOP + path, data)
    assert main([str(anew)]) == 1
    assert "check the folder instead" in capsys.readouterr().out


def test_both_sides_compute_the_same_head() -> None:
    """The signer and the checker do not share code."""
    digests = [chain.digest(bytes([n])) for n in range(5)]
    assert list(chain.heads(digests)) == decisions.heads(digests)


def test_a_key_or_signature_that_is_none_is_told(files: dict[str, bytes]) -> None:
    data, signed, key = (files[name] for name in ("manifest.json", "manifest.json.asc", "key.asc"))
    for wrong in (b"", signed, b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n!!\n"):
        with pytest.raises(signature.BadSignatureError):
            signature.verify(data, signed, wrong)
    for wrong in (b"", key, signature.armor(b"\xc2\x05short")):
        with pytest.raises(signature.BadSignatureError):
            signature.verify(data, wrong, key)


def test_rules_come_back_as_they_were() -> None:
    rules = Rules(threshold=Threshold.RATIO, ratio=3)
    assert plain.load(Rules, plain.dump(rules)) == rules
    assert plain.load(Rules, {}) == Rules(), "what an older record does not say has its default"
    with pytest.raises(ValueError, match="is no Rules"):
        plain.load(Rules, [])
