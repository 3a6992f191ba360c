"""Casts a sealed ballot without a browser, and checks what became of it. `main` is the program.

Each command can be given again: the same key is asked for, the same ballot is sent.
"""

from __future__ import annotations

import argparse
import json
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec

from governance.sealed import ballot, blind, board, envelope, manifest, wire
from governance.sealed.manifest import Manifest
from governance.sealed.paper import write as paper_text
from governance.sealed.wire import to_bytes, to_text
from governance.voting import choosing, recovery
from governance.voting.recovery import Recovery

PATIENCE: Final = 60  # seconds for an answer
STEP: Final = 10  # further on than a ballot that was cast from elsewhere


class VoteError(Exception):
    """What stops a command; the message says what to do."""


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if it was done, 1 if something is wrong, with a sentence that says what to do."""
    given = _parser().parse_args(arguments)
    try:
        given.command(given)
    except (VoteError, ValueError, KeyError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


# --- the commands ---


def make_key(given: argparse.Namespace) -> None:
    election, text = _manifest(given.manifest)
    contest = election.contest(given.contest)
    key = ec.generate_private_key(envelope.CURVE)
    prepared = blind.prepare(ballot.voter_message(contest.name, ballot.point_of(key)))
    blinded, inverse = blind.blind(contest.registrar, prepared)
    file = Recovery(
        election=election.election,
        contest=contest.id,
        number=given.number,
        manifest_sha256=manifest.digest(text),
        key=recovery.jwk(key),
        prefix=to_text(prepared[: blind.PREFIX]),
        blinded=to_text(blinded),
        inverse=to_text(inverse.to_bytes(len(blinded))),
    )
    recovery.write(given.file, file, is_new=True)
    _say(f"Your key is in {given.file}. Keep a copy: there is only one credential.")
    _say("Paste this into the page of the ballot, under “Vote with vote.py”:")
    _say(file.blinded)


def seal_ballot(given: argparse.Namespace) -> None:
    file, election = _both(given)
    contest = election.contest(file.contest)
    if given.answer and not file.registrar_signature:
        _finish(file, given.answer, election)
        recovery.write(given.file, file)
    chosen = choosing.paper_of([] if given.blank else given.choices, contest)
    if not given.choices and not given.blank:
        raise VoteError("Nobody is chosen. Name candidates, or say --blank.")
    pseudonym = file.pseudonym
    bound = ballot.bound_to(contest.name, pseudonym.point)
    sealed = envelope.seal(
        paper_text(chosen), to=election.sealing_key, bound=bound, size=contest.size
    )
    number = file.sequence + 1
    made = ballot.cast(
        contest.name, key=file.private, pseudonym=pseudonym, sequence=number, envelope=sealed
    )
    line = wire.write_ballot(made).decode()
    file.sequence, file.pending = number, {"line": line, "digest": made.digest, "sequence": number}
    recovery.write(given.file, file)
    _say("Sealed, and NOT CAST yet:")
    for words in choosing.in_words(chosen, contest):
        _say(f"  {words}")


def cast(given: argparse.Namespace) -> None:
    file, election = _both(given)
    if file.pending is None:
        raise VoteError("No ballot waits to be cast: seal one first.")
    try:
        answer = _post(given.url, file.pending["line"].encode())
    except urllib.error.HTTPError as error:
        raise _refused(error, file, given.file) from error
    digest = file.pending["digest"]
    signature = str(answer.get("receipt", ""))
    if not _is_receipt(election, digest, signature):
        raise VoteError("This is no good receipt. Cast again; if it stays so, tell the officers.")
    receipt = {"digest": digest, "receipt": signature, "sequence": file.pending["sequence"]}
    others = [one for one in file.receipts if one["digest"] != digest]
    file.receipts, file.pending = [*others, {**receipt, "checked": True}], None
    recovery.write(given.file, file)
    _say(f"You have voted. The receipt is good and in {given.file}.")
    _say(f"Your ballot on the board: {digest}")


def check(given: argparse.Namespace) -> None:
    """The whole board is checked, so that nobody is told which ballot is looked for."""
    file, election = _both(given)
    blocks = [wire.read_block(line) for line in _fetch(given.board).splitlines()]
    board.check_board(
        blocks,
        election=election.election,
        manifest_sha256=file.manifest_sha256,
        key=election.box,
    )
    places = {digest: block.number for block in blocks for digest in block.ballots}
    _say(f"The board is whole: {len(blocks)} blocks, {len(places)} ballots.")
    for one in file.receipts:
        if not _is_receipt(election, one["digest"], one["receipt"]):
            raise VoteError(f"The receipt of ballot {one['sequence']} is not good.")
        place = places.get(one["digest"])
        where = f"in block {place}" if place else "not on the board yet; blocks come each hour"
        _say(f"Ballot {one['sequence']}, {one['digest']}: the receipt is good, {where}.")
    if given.closed and any(one["digest"] not in places for one in file.receipts):
        raise VoteError("A ballot with a receipt is missing: this file proves that it was dropped.")


# --- their parts ---


def _finish(file: Recovery, answer: str, election: Manifest) -> None:
    prepared = blind.prepare(
        ballot.voter_message(file.contest.encode(), file.point), prefix=to_bytes(file.prefix)
    )
    registrar = election.contest(file.contest).registrar
    inverse = int.from_bytes(to_bytes(file.inverse))
    signature = blind.finalize(registrar, prepared, to_bytes(answer.strip()), inverse)
    file.registrar_signature = to_text(signature)


def _both(given: argparse.Namespace) -> tuple[Recovery, Manifest]:
    file = recovery.read(given.file)
    election, text = _manifest(given.manifest)
    if manifest.digest(text) != file.manifest_sha256:
        raise VoteError("This is another manifest than the one that your key was made for.")
    return file, election


def _manifest(where: str) -> tuple[Manifest, bytes]:
    text = _fetch(where)
    return manifest.read(text), text


def _is_receipt(election: Manifest, digest: str, signature: str) -> bool:
    return board.is_receipt(election.election, digest, to_bytes(signature), election.box)


def _refused(error: urllib.error.HTTPError, file: Recovery, path: Path) -> VoteError:
    """What to do about an answer. A ballot from elsewhere is replaced only by a further command."""
    try:
        code = json.loads(error.read()).get("code", "")
    except (ValueError, AttributeError):
        code = ""
    if code in {"taken", "old"}:
        file.sequence, file.pending = file.sequence + STEP, None
        recovery.write(path, file)
        return VoteError(
            "The box has another ballot of this key. To replace it, seal and cast again."
        )
    if code == "closed":
        return VoteError("The election is closed. An earlier ballot with a receipt counts.")
    if error.code >= 500:
        return VoteError("The box does not answer now. Cast again later; it cannot count twice.")
    return VoteError(f"The box does not take this ballot ({error.code} {code}). Tell the officers.")


def _post(url: str, line: bytes) -> dict[str, Any]:
    request = urllib.request.Request(  # noqa: S310 - the scheme is looked at
        _web(url), data=line, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
        return dict(json.loads(answer.read()))


def _fetch(where: str) -> bytes:
    """A file, or an address of the portal."""
    if "://" not in where:
        return Path(where).read_bytes()
    with urllib.request.urlopen(_web(where), timeout=PATIENCE) as answer:  # noqa: S310
        return bytes(answer.read())


def _web(url: str) -> str:
    if not url.startswith(("https://", "http://")):
        raise VoteError(f"{url} is no address of a portal.")
    return url


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="vote.py", description="Votes without a browser.")
    commands = parser.add_subparsers(required=True)

    def command(name: str, run: object, words: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=words, description=words)
        found.set_defaults(command=run)
        found.add_argument("--manifest", required=True, help="file or address of manifest.json")
        found.add_argument("--file", required=True, type=Path, help="your recovery file")
        return found

    key = command("key", make_key, "make your voting key, and what the portal signs")
    key.add_argument("--contest", required=True, help='as "2026-board/members"')
    key.add_argument("--number", required=True, type=int, help="your number on the roll")
    seal = command("ballot", seal_ballot, "seal a ballot")
    seal.add_argument("--answer", help="what the portal answered, the first time")
    seal.add_argument("--blank", action="store_true", help="a blank vote")
    seal.add_argument("choices", nargs="*", metavar="CANDIDATE", help="the best first")
    send = command("cast", cast, "send the ballot and check the receipt")
    send.add_argument("--url", required=True, help="where the portal takes ballots: …/ballots/")
    look = command("check", check, "check the board and find your ballots on it")
    look.add_argument("--board", required=True, help="file or address of blocks.jsonl")
    look.add_argument("--closed", action="store_true", help="the last block is there")
    return parser
