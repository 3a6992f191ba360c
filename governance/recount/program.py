"""Counts an election again from its bundle, and says step by step whether all is as published.

The answer is 0 if everything agrees, 1 if anything does not, 2 if there is nothing to check.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from governance.recount import bundle, exports, receipts
from governance.recount.bundle import BundleError
from governance.recount.check import check
from governance.recount.receipts import ReceiptError
from governance.recount.state import Report
from governance.sealed.wire import WireError
from governance.tally.formats.sheet import FormatError

AGREES: Final = 0
DIFFERS: Final = 1
NOTHING: Final = 2
SHOWN: Final = 20  # faults of a step; all of them with --json


class _NothingError(Exception):
    """There is nothing to check, or to write to."""


def main(words: Sequence[str] | None = None) -> int:
    asked = _parser().parse_args(words)
    try:
        texts = bundle.read(asked.bundle)
        kept = _read(asked.blocks) if asked.blocks else None
        report = check(texts, workers=asked.workers, kept_blocks=kept)
        found = {path: _receipt(_read(path), report, texts) for path in asked.receipt}
        written = list(_export(asked, report))
    except BundleError as error:
        _say(f"NOT SOUND: {error}")
        return DIFFERS if asked.bundle.exists() else NOTHING
    except _NothingError as error:
        sys.stderr.write(f"{error}\n")
        return NOTHING
    lines = [
        *(f"{path}: {'yes' if good else 'NO'}, {said}" for path, (good, said) in found.items()),
        *(f"{path} was written" for path in written),
    ]
    is_sound = report.is_sound and all(good for good, _ in found.values())
    if asked.json:
        _say(json.dumps(_document(report, lines, is_sound), ensure_ascii=False, indent=1))
    else:
        for line in [*told(report), *lines, _verdict(is_sound)]:
            _say(line)
    return AGREES if is_sound else DIFFERS


def told(report: Report) -> Iterator[str]:
    """The report for people, line by line."""
    for place, step in enumerate(report.steps, 1):
        mark = "ok  " if step.is_sound else "FAIL"
        first = step.said if step.is_sound else step.faults[0]
        yield f"{place:2} {mark} {step.title}: {first}"
        for fault in step.faults[1:SHOWN]:
            yield f"        {fault}"
        if len(step.faults) > SHOWN:
            yield f"        and {len(step.faults) - SHOWN:,} more (all of them with --json)"
    for note in report.notes:
        yield f"   note {note}"


def _verdict(is_sound: bool) -> str:
    if is_sound:
        return "AGREES: the published result is what the ballots say."
    return "DOES NOT AGREE: see the lines with FAIL or NO. Tell the officers, and others."


def _document(report: Report, lines: list[str], is_sound: bool) -> dict[str, Any]:
    return {
        "agrees": is_sound,
        "steps": [
            {"title": step.title, "said": step.said, "faults": list(step.faults)}
            for step in report.steps
        ],
        "notes": list(report.notes),
        "further": lines,
    }


def _receipt(text: bytes, report: Report, texts: dict[str, bytes]) -> tuple[bool, str]:
    if report.manifest is None:
        raise _NothingError("without a manifest no receipt can be looked up")
    try:
        found = receipts.look_up(text, report.manifest, texts)
    except (ReceiptError, WireError) as error:
        return False, str(error)
    return found.is_sound, found.said


def _export(asked: argparse.Namespace, report: Report) -> Iterator[Path]:
    for kind in exports.FORMATS:
        wanted: Path | None = getattr(asked, kind)
        if wanted is None:
            continue
        if report.manifest is None or report.outcome is None:
            raise _NothingError("there are no papers to write: the ballots could not be opened")
        try:
            texts = exports.texts(kind, report.manifest, report.votes, report.outcome)
        except FormatError as error:
            raise _NothingError(f"{wanted} cannot be written: {error}") from error
        for path, text in zip(exports.paths(wanted, report.manifest), texts.values(), strict=True):
            try:
                path.write_text(text, encoding="utf-8")
            except OSError as error:
                raise _NothingError(f"{path} cannot be written: {error.strerror}") from error
            yield path


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _NothingError(f"{path} cannot be read: {error.strerror}") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="recount.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("bundle", type=Path, help="the archive, or the folder it was unpacked into")
    one: dict[str, Any] = {"type": Path, "metavar": "FILE"}
    parser.add_argument(
        "--receipt",
        action="append",
        default=[],
        help="is the ballot of this receipt on the board, or the sheet? (may be given again)",
        **one,
    )
    parser.add_argument(
        "--blocks", help="a copy of blocks.jsonl from before: the board has to begin with it", **one
    )
    for kind in exports.FORMATS:
        several = "with several contests, one file for each"
        parser.add_argument(f"--{kind}", help=f"write the papers there; {several}", **one)
    parser.add_argument("--json", action="store_true", help="the steps as JSON")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    parser.add_argument(
        "--workers", type=int, default=cores or 1, help="processes; all cores unless told"
    )
    return parser


def _say(text: str) -> None:
    """Names come from a bundle that is doubted: nothing in them steers the terminal."""
    shown = "".join(one if one.isprintable() or one == "\n" else "\ufffd" for one in text)
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(shown.encode(encoding, "replace").decode(encoding) + "\n")
