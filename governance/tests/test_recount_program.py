"""recount.py on another path, with nothing but the bundle: what it says, and its answer."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from governance.recount import bundle
from governance.recount.program import main
from governance.sealed import board
from governance.sealed.wire import to_text
from governance.tally.formats import blt, preflib, table
from governance.tests import finished_election as finished
from governance.tests.finished_election import Election
from governance.tests.sealed_election import CONTRIBUTORS, NAME


@pytest.fixture(scope="module")
def made() -> Election:
    return finished.with_a_change()


@pytest.fixture
def folder(made: Election, tmp_path: Path) -> Path:
    """The archive, and beside it what was in it; nothing else."""
    (tmp_path / "bundle.zip").write_bytes(finished.packed(made.parts()))
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        archive.extractall(tmp_path)
    return tmp_path


def run(folder: Path, *words: str, program: str = f"{NAME}/recount.py") -> tuple[int, str]:
    """By a Python that sees no environment, no user's packages and no portal."""
    done = subprocess.run(
        [sys.executable, "-I", program, *words],
        cwd=folder,
        env={},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_it_runs_from_the_bundle_alone(folder: Path) -> None:
    answer, said = run(folder, "bundle.zip")
    assert answer == 0, said
    assert said.endswith("AGREES: the published result is what the ballots say.\n")
    assert "Contributors: Candidate 2 elected (5 of 6 voted)" in said
    assert "FAIL" not in said
    assert "note" not in said


def test_it_imports_nothing_of_the_portal(folder: Path) -> None:
    words = "import sys; sys.argv = ['recount.py', 'bundle.zip']; sys.dont_write_bytecode = True"
    program = f"{words}; sys.path.insert(0, '{NAME}/code')\n" + (
        "from governance.recount.program import main\nmain()\n"
        "print(sorted({each.partition('.')[0] for each in sys.modules}))\n"
        "print({each.__file__ for name, each in sys.modules.items() if name == 'governance'})\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program],
        cwd=folder,
        env={},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    modules, files = done.stdout.splitlines()[-2:]
    assert "'cryptography'" in modules
    assert not {"'django'", "'portal'", "'releases'"} & set(modules.strip("[]").split(", "))
    assert str(folder) in files


def test_the_folder_can_be_checked_in_place_again_and_again(folder: Path) -> None:
    for _ in range(2):
        answer, said = run(folder / NAME, ".", program="recount.py")
        assert answer == 0, said
    assert not list(folder.rglob("*.pyc"))


def test_many_ballots_are_checked_by_several_processes(folder: Path) -> None:
    """The same ballots are there often enough for processes to be started: each is told of."""
    lines = (folder / NAME / "ballots.jsonl").read_bytes()
    (folder / NAME / "ballots.jsonl").write_bytes(lines * 210)
    answer, said = run(folder, NAME, "--workers", "2")
    assert answer == 1
    assert "is there 210 times" in said


def test_a_changed_bundle_does_not_agree(folder: Path) -> None:
    result = folder / NAME / "result.json"
    result.write_text(result.read_text().replace('"took_part": 5', '"took_part": 6'))
    answer, said = run(folder, NAME)
    assert answer == 1
    assert "FAIL Files: result.json is not the file that SHA256SUMS names" in said
    assert "contests[0].took_part says 6; the recount says 5" in said
    assert "DOES NOT AGREE" in said


def test_there_is_nothing_to_check(folder: Path) -> None:
    answer, said = run(folder, "missing.zip")
    assert answer == 2
    assert "missing.zip cannot be read" in said
    assert run(folder)[0] == 2  # no bundle was named


def test_a_damaged_archive_is_not_sound(folder: Path) -> None:
    packed = (folder / "bundle.zip").read_bytes()
    (folder / "bundle.zip").write_bytes(packed[:-1])
    answer, said = run(folder, "bundle.zip")
    assert answer == 1
    assert said.startswith("NOT SOUND")


def test_json_has_every_step(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder / "bundle.zip"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["agrees"] is True
    assert [step["title"] for step in found["steps"]][-2:] == ["Count", "Published result"]


# --- exports ---


def test_papers_are_written_for_other_programs(folder: Path) -> None:
    """One file for each contest, and each says the same papers."""
    words = [f"--{kind}={folder}/papers.{kind}" for kind in ("blt", "csv", "preflib")]
    assert main([str(folder / "bundle.zip"), *words]) == 0
    names = sorted(path.name for path in folder.glob("papers-*"))
    assert names[:2] == ["papers-contributors.blt", "papers-contributors.csv"]
    assert len(names) == 6
    of = blt.read((folder / "papers-contributors.blt").read_text())
    assert (of.title, of.number, of.seats) == ("Contributors", 5, 1)
    assert table.read((folder / "papers-contributors.csv").read_text()) == of
    assert preflib.read((folder / "papers-contributors.preflib").read_text()) == of


def test_papers_that_cannot_be_written_are_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(folder / "bundle.zip"), f"--blt={folder}/nowhere/papers.blt"]) == 2
    assert "cannot be written" in capsys.readouterr().err


# --- receipts and kept blocks ---


def receipt(made: Election, digest: str, folder: Path, **more: str) -> str:
    signed = board.receipt(NAME, digest, made.private.box)
    path = folder / "receipt.json"
    path.write_text(json.dumps({"digest": digest, "receipt": to_text(signed), **more}))
    return f"--receipt={path}"


def test_the_ballot_of_a_receipt_is_on_the_board(
    made: Election, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = receipt(made, made.blocks[1][0].digest, folder, election=NAME)
    assert main([str(folder / "bundle.zip"), mine]) == 0
    assert "is on the board, in block 2" in capsys.readouterr().out


def test_a_receipt_of_a_ballot_in_no_block_proves_that_the_box_dropped_it(
    made: Election, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dropped = made.cast(CONTRIBUTORS, 5, b"\x00")
    assert main([str(folder / "bundle.zip"), receipt(made, dropped.digest, folder)]) == 1
    assert "the box dropped the ballot" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{}", "this is no receipt"),
        ("[", "this is no receipt"),
        ('{"digest": "ab", "receipt": "AAAA"}', "did not sign"),
        ('{"digest": "ab", "receipt": "AAAA", "election": "2025"}', "of another election"),
    ],
)
def test_what_is_no_receipt_proves_nothing(
    folder: Path, text: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "receipt.json").write_text(text)
    assert main([str(folder / "bundle.zip"), f"--receipt={folder}/receipt.json"]) == 1
    assert why in capsys.readouterr().out


def test_the_board_has_to_begin_with_the_blocks_that_were_kept(
    made: Election, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = folder / "kept.jsonl"
    kept.write_bytes(b"".join(b"%b\n" % line for line in made.parts().blocks[:2]))
    assert main([str(folder / "bundle.zip"), f"--blocks={kept}"]) == 0
    shorter = finished.with_a_change()
    del shorter.blocks[1:]
    (folder / "other.zip").write_bytes(finished.packed(shorter.parts()))
    assert main([str(folder / "other.zip"), f"--blocks={kept}"]) == 1
    assert "block 2, which you kept, is gone" in capsys.readouterr().out


def test_the_program_of_another_version_is_noted(
    made: Election, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = finished.contents(made.parts())
    files["code/governance/tally/irv.py"] += b"# as it was last year\n"
    (folder / "old.zip").write_bytes(bundle.pack(bundle.summed(files), NAME))
    assert main([str(folder / "old.zip")]) == 0
    assert "The program in this bundle is not the one that runs now" in capsys.readouterr().out
