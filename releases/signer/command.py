"""The operator's command: keys and the log. It runs beside the signer, which notices new keys."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pysequoia

from releases.signer import key, replay
from releases.signer.material import ALGORITHMS
from releases.signer.register import ACTIVE, NEXT, RETIRED, Entry, Register

MEANS = {
    NEXT: "announced: clients learn it from the keyring packages, it signs nothing yet",
    ACTIVE: "signs",
    RETIRED: "signs no more",
}


def user_id() -> str:
    return os.environ.get("SIGNER_USER_ID") or "Foundation packages <packages@localhost>"


def run(folder: Path, words: list[str]) -> int:
    """Do what the words say; what went wrong is raised."""
    asked = _parser().parse_args(words)
    if asked.noun == "log":
        sys.stdout.write(f"{replay.check(folder)} lines, none changed\n")
        return 0
    register = Register(folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    done: Callable[[Register, argparse.Namespace], Entry | None] = asked.do
    entry = done(register, asked)
    for shown in [entry] if entry else register.entries():
        sys.stdout.write(f"{_told(shown)}\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m releases.signer")
    nouns = parser.add_subparsers(dest="noun", required=True)
    verbs = nouns.add_parser("key", help="keys of the signer").add_subparsers(required=True)
    listing = verbs.add_parser("list", help="all keys and their states")
    listing.set_defaults(do=lambda register, asked: None)
    _entering(verbs.add_parser("add", help="make a new key"), _add, made=True)
    imported = verbs.add_parser("import", help="enter a key that exists, - for standard input")
    _entering(imported, _import)
    imported.add_argument("file", type=argparse.FileType("rb"))
    held = verbs.add_parser("agent", help="enter a key that gpg-agent holds")
    _entering(held, _agent)
    held.add_argument("fingerprint")
    held.add_argument("--home", type=Path, required=True, help="the folder of GnuPG")
    for word, help_, do in (
        ("activate", "let an announced key sign beside the one before it", key.activate),
        ("retire", "let a key sign no more", key.retire),
        ("refresh", "read again when a key of gpg-agent ends", key.refresh),
    ):
        step = verbs.add_parser(word, help=help_)
        step.add_argument("name")
        step.set_defaults(do=lambda register, asked, do=do: do(register, name=asked.name))
    extending = verbs.add_parser("extend", help="give a key a later end")
    extending.add_argument("name")
    extending.add_argument("--expires", type=_day, required=True, help="a day: 2031-12-31")
    extending.set_defaults(
        do=lambda register, asked: key.extend(register, name=asked.name, expires=asked.expires)
    )
    log = nouns.add_parser("log", help="the log of the signer").add_subparsers(required=True)
    log.add_parser("check", help="read every line and see that none was changed")
    return parser


def _entering(
    parser: argparse.ArgumentParser,
    do: Callable[[Register, argparse.Namespace], Entry],
    *,
    made: bool = False,
) -> None:
    parser.add_argument("name")
    parser.add_argument(
        "--for",
        dest="scope",
        default="",
        help="a product, or a repository of it; or advisories, or decisions",
    )
    parser.add_argument(
        "--for-files",
        action="store_true",
        help="signs plain files alone; with --for advisories or decisions, those alone",
    )
    parser.add_argument(
        "--at-once", action="store_true", help="let it sign now: before anything is published there"
    )
    if made:
        parser.add_argument("--algorithm", choices=ALGORITHMS, default="rsa4096")
        parser.add_argument("--user-id", default=user_id())
        parser.add_argument("--expires", type=_day, help="a day: 2031-12-31; else in five years")
    parser.set_defaults(do=do)


def _add(register: Register, asked: argparse.Namespace) -> Entry:
    return key.add(
        register,
        name=asked.name,
        user_id=asked.user_id,
        algorithm=asked.algorithm,
        expires=asked.expires,
        scope=asked.scope,
        for_files=asked.for_files,
        at_once=asked.at_once,
    )


def _import(register: Register, asked: argparse.Namespace) -> Entry:
    secret = bytes(pysequoia.Tsk.from_bytes(asked.file.read()))
    return key.add(
        register,
        name=asked.name,
        user_id="",
        scope=asked.scope,
        for_files=asked.for_files,
        at_once=asked.at_once,
        secret=secret,
    )


def _agent(register: Register, asked: argparse.Namespace) -> Entry:
    return key.add_from_agent(
        register,
        name=asked.name,
        home=asked.home.absolute(),
        fingerprint=asked.fingerprint,
        scope=asked.scope,
        for_files=asked.for_files,
        at_once=asked.at_once,
    )


def _day(text: str) -> int:
    """The end of that day."""
    return int(datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()) + 86_400


def _told(entry: Entry) -> str:
    end = "never expires"
    if entry.expires is not None:
        day = datetime.fromtimestamp(entry.expires, UTC).date()
        end = f"expired on {day}" if entry.expires <= time.time() else f"expires on {day}"
    what = entry.scope or ("plain files" if entry.for_files else "every repository")
    return (
        f"{entry.name}\n  {entry.fingerprint}  {entry.algorithm}  {entry.user_id}\n"
        f"  for {what}, {end}\n  {entry.state}: {MEANS[entry.state]}"
    )
