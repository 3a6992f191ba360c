"""vote.py against a registrar and a box: from the key to the board, and what stops it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from governance.sealed import ballot, blind, board, envelope, manifest, paper, wire
from governance.sealed.manifest import Manifest
from governance.sealed.wire import to_bytes, to_text
from governance.tests import sealed_election as made
from governance.voting import recovery, shipped
from governance.voting.choosing import paper_of
from governance.voting.vote import main

CONTEST = made.MEMBERS


@dataclass
class Portal:
    """The box behind an address, and the files of one voter."""

    folder: Path
    private: made.Keys
    election: Manifest
    cast: list[bytes] = field(default_factory=list)
    refusal: tuple[int, str] | None = None
    url: str = ""
    lie: bytes = b""

    @property
    def common(self) -> list[str]:
        return ["--manifest", str(self.folder / "manifest.json"), "--file", str(self.file)]

    @property
    def file(self) -> Path:
        return self.folder / "vote.json"

    def run(self, command: str, *words: str) -> int:
        return main([command, *self.common, *words])

    def key(self) -> str:
        """Makes the key and has it signed: the registrar's answer."""
        assert self.run("key", "--contest", CONTEST, "--number", "1") == 0
        blinded = to_bytes(recovery.read(self.file).blinded)
        return to_text(blind.sign(made.registrar_key(CONTEST), blinded))

    def papers(self) -> list[bytes]:
        contest = self.election.contest(CONTEST)
        found = []
        for one in ballot.standing([wire.read_ballot(line) for line in self.cast]):
            ballot.check(one, contest=contest.name, registrar=contest.registrar, size=contest.size)
            bound = ballot.bound_to(contest.name, one.pseudonym.point)
            text = envelope.open_envelope(one.envelope, key=self.private.election, bound=bound)
            found.append(paper.read(text, method=contest.method, candidates=3, seats=1))
        return found


@pytest.fixture
def portal(tmp_path: Path) -> Iterator[Portal]:
    private = made.keys()
    found = Portal(tmp_path, private, made.made(private))
    (tmp_path / "manifest.json").write_bytes(manifest.write(found.election))

    class Box(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert "Cookie" not in self.headers
            line = self.rfile.read(int(self.headers["Content-Length"]))
            status, answer = 200, {}
            if found.refusal:
                status, answer = found.refusal[0], {"code": found.refusal[1]}
            else:
                found.cast.append(line)
                digest = wire.read_ballot(line).digest
                receipt = found.lie or board.receipt(made.NAME, digest, private.box)
                answer = {"digest": digest, "receipt": to_text(receipt)}
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Box)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    found.url = f"http://127.0.0.1:{server.server_port}/"
    yield found
    server.shutdown()
    server.server_close()


def test_a_voter_makes_a_key_seals_casts_changes_and_checks(
    portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = portal.key()
    assert portal.file.stat().st_mode & 0o777 == 0o600
    assert recovery.read(portal.file).blinded in capsys.readouterr().out
    assert portal.run("ballot", "--answer", answer, "Candidate 2", "1") == 0
    shown = capsys.readouterr().out
    assert "NOT CAST" in shown
    assert "1. Candidate 2" in shown
    assert portal.run("cast", "--url", portal.url) == 0
    assert "You have voted" in capsys.readouterr().out
    assert portal.papers() == [b"\x02\x00"]
    assert portal.run("ballot", "--blank") == 0
    assert portal.run("cast", "--url", portal.url) == 0
    assert portal.papers() == [b""]

    digests = [one["digest"] for one in recovery.read(portal.file).receipts]
    sha256 = recovery.read(portal.file).manifest_sha256
    block = board.first_block(made.NAME, sha256, digests[:1], portal.private.box)
    (portal.folder / "blocks.jsonl").write_bytes(wire.write_block(block) + b"\n")
    words = ["--board", str(portal.folder / "blocks.jsonl")]
    assert portal.run("check", *words) == 0
    told = capsys.readouterr().out
    assert "in block 1" in told
    assert "not on the board yet" in told
    assert portal.run("check", *words, "--closed") == 1
    assert "proves that it was dropped" in capsys.readouterr().err


def test_a_ballot_is_sent_again_until_there_is_a_receipt(
    portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    portal.run("ballot", "--answer", portal.key(), "Candidate 1")
    portal.refusal = (503, "")
    assert portal.run("cast", "--url", portal.url) == 1
    assert "cannot count twice" in capsys.readouterr().err
    portal.refusal, portal.lie = None, bytes(64)
    assert portal.run("cast", "--url", portal.url) == 1
    assert "no good receipt" in capsys.readouterr().err
    portal.lie = b""
    assert portal.run("cast", "--url", portal.url) == 0
    assert portal.cast[0] == portal.cast[1]
    assert portal.run("cast", "--url", portal.url) == 1
    assert "seal one first" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (409, "old", "To replace it, seal and cast again"),
        (410, "closed", "The election is closed"),
        (400, "invalid", "does not take this ballot (400 invalid)"),
    ],
)
def test_a_refusal_says_what_to_do(
    portal: Portal, capsys: pytest.CaptureFixture[str], status: int, code: str, words: str
) -> None:
    portal.run("ballot", "--answer", portal.key(), "Candidate 1")
    portal.refusal = (status, code)
    assert portal.run("cast", "--url", portal.url) == 1
    assert words in capsys.readouterr().err
    assert (recovery.read(portal.file).pending is None) == (code == "old")
    assert recovery.read(portal.file).sequence == (11 if code == "old" else 1)


def test_a_key_is_never_replaced(portal: Portal, capsys: pytest.CaptureFixture[str]) -> None:
    portal.key()
    before = portal.file.read_bytes()
    assert portal.run("key", "--contest", CONTEST, "--number", "1") == 1
    assert "is there already" in capsys.readouterr().err
    assert portal.file.read_bytes() == before


def test_what_the_registrar_did_not_sign_is_not_taken(
    portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = bytearray(to_bytes(portal.key()))
    answer[-1] ^= 1
    assert portal.run("ballot", "Candidate 1") == 1
    assert "has not signed this key yet" in capsys.readouterr().err
    assert portal.run("ballot", "--answer", to_text(bytes(answer)), "Candidate 1") == 1
    assert "no signature of this message" in capsys.readouterr().err
    assert recovery.read(portal.file).registrar_signature == ""


def test_another_manifest_or_file_stops_the_program(
    portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    portal.key()
    other = manifest.write(replace(portal.election, title="Another"))
    (portal.folder / "manifest.json").write_bytes(other)
    assert portal.run("ballot", "Candidate 1") == 1
    assert "another manifest" in capsys.readouterr().err
    for text in ("", "[]", '{"format": "x"}', '{"format": "foundation-portal recovery 1"}'):
        portal.file.write_text(text)
        assert portal.run("cast", "--url", portal.url) == 1
        assert "no recovery file" in capsys.readouterr().err


def test_nothing_is_sent_to_what_is_no_portal(
    portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    portal.run("ballot", "--answer", portal.key(), "Candidate 1")
    assert portal.run("cast", "--url", "file:///etc/passwd") == 1
    assert "no address of a portal" in capsys.readouterr().err
    assert portal.run("ballot") == 1
    assert "say --blank" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("method", "choices", "expected"),
    [
        ("irv", ["Candidate 2", "Candidate 0"], b"\x02\x00"),
        ("approval", ["Candidate 2", "Candidate 0"], b"\x00\x02"),
        ("plurality", ["3"], b"\x02"),
        ("schulze", ["Candidate 1=7", "Candidate 2=none"], b"\xff\x01\x00"),
        ("schulze", ["1=3", "2=3", "3=9"], b"\x01\x01\x02"),
        ("schulze", ["1=none"], b""),
        ("meek-stv", [], b""),
        ("yes-no", ["yes"], b"\x00"),
        ("yes-no", ["no"], b"\x01"),
        ("yes-no", [], b""),
    ],
)
def test_choices_become_the_paper_of_the_method(
    method: str, choices: list[str], expected: bytes
) -> None:
    assert paper_of(choices, replace(made.contest(CONTEST), method=method))[:] == expected


@pytest.mark.parametrize(
    ("method", "choices", "words"),
    [
        ("irv", ["Mallory"], "is no candidate. They are: 1 Candidate 0"),
        ("irv", ["4"], "is no candidate"),
        ("irv", ["1", "Candidate 0"], "twice"),
        ("plurality", ["1", "2"], "more marks"),
        ("yes-no", ["1", "2"], "both yes and no"),
        ("yes-no", ["yes", "no"], "both yes and no"),
        ("irv", ["yes"], "is no candidate"),
        ("schulze", ["1"], "write it as Name=1"),
        ("schulze", ["1=255"], "write it as Name=1"),
    ],
)
def test_choices_that_could_not_be_counted_are_refused(
    method: str, choices: list[str], words: str
) -> None:
    with pytest.raises(paper.PaperError, match=words):
        paper_of(choices, replace(made.contest(CONTEST), method=method))


def test_the_program_runs_from_its_archive_alone(tmp_path: Path, portal: Portal) -> None:
    assert shipped.archive() == shipped.archive()
    zipfile.ZipFile(io.BytesIO(shipped.archive())).extractall(tmp_path)
    words = ["key", *portal.common, "--contest", CONTEST, "--number", "1"]
    command = [sys.executable, "-P", "vote.py", *words]
    done = subprocess.run(
        command, cwd=tmp_path / "vote", capture_output=True, text=True, check=False, env={}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert recovery.read(portal.file).blinded in done.stdout
