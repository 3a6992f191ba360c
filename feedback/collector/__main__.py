"""Asks the servers of a list for their usage reports and submits them together.

    export PORTAL_TOKEN=fp_...            a token that may submit reports of a fleet
    export COLLECTOR_PASSWORD=...         of the account that asks; the privilege PROCESS is enough
    python -m feedback.collector hosts.txt --user feedback --submit https://portal.example.org

Without a way to the internet: `--output reports.ndjson` here, `--from reports.ndjson --submit URL`
on a machine that has one. The file holds the identities of the servers: only its owner can read it.

Exit status: 0 all done, 1 some servers or reports failed, 2 wrong use, 3 the portal took nothing,
130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import ssl
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TextIO

from .gather import Asked, Way, gather
from .hosts import Address, HostError, hosts
from .submission import SubmissionError, line, submit
from .talk import Account, Tls

SOME_FAILED, MISUSED, NOT_SUBMITTED, INTERRUPTED = 1, 2, 3, 130
TELL_EVERY: Final = 10.0  # seconds between lines of progress where there is no terminal
DRAW_EVERY: Final = 0.1


class Progress:
    """How many are asked; a line that changes on a terminal, seldom a new one elsewhere."""

    def __init__(self, total: int, out: TextIO) -> None:
        self._total, self._out = total, out
        self._asked = self._failed = 0
        self._last = time.monotonic()
        self._every = DRAW_EVERY if out.isatty() else TELL_EVERY

    def tell(self, asked: Asked) -> None:
        self._asked += 1
        if asked.error:
            self._failed += 1
            self._write(f"{asked.host}: {asked.error}")
        if time.monotonic() - self._last > self._every or self._asked == self._total:
            self._last = time.monotonic()
            words = f"{self._asked} of {self._total} servers asked, {self._failed} failed"
            self._write(words, ends=self._asked == self._total)

    def _write(self, words: str, *, ends: bool = True) -> None:
        if self._out.isatty():
            self._out.write(f"\r\033[K{words}" + ("\n" if ends else ""))
        else:
            self._out.write(f"{words}\n")
        self._out.flush()


def options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="collector",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("hosts", nargs="?", type=Path, help="file of servers, one a line")
    parser.add_argument("--submit", metavar="URL", help="the portal that takes the reports")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the reports into a file")
    parser.add_argument("--from", type=Path, dest="source", metavar="FILE", help="submit a file")
    parser.add_argument("--user", default="feedback", help="account of the servers (feedback)")
    parser.add_argument("--password-file", type=Path, help="instead of COLLECTOR_PASSWORD")
    parser.add_argument("--token-file", type=Path, help="instead of PORTAL_TOKEN")
    parser.add_argument("--at-once", type=int, default=200, help="servers asked at once (200)")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds for a server (10)")
    parser.add_argument(
        "--tls",
        choices=["off", "prefer", "require", "verify"],
        default="prefer",
        help="prefer: where a server offers it; verify: with a certificate that is checked",
    )
    parser.add_argument("--tls-ca", type=Path, metavar="FILE", help="who signed the certificates")
    found = parser.parse_args(words)
    if (found.hosts is None) == (found.source is None):
        parser.error("name a file of hosts, or a file of reports with --from")
    if not found.submit and (found.source or not found.output):
        parser.error(
            "say where the reports go: --submit URL" + ("" if found.source else ", --output FILE")
        )
    if found.at_once < 1 or found.timeout <= 0:
        parser.error("--at-once and --timeout are above zero")
    return found


def secret(environ: Mapping[str, str], name: str, file: Path | None) -> str:
    return file.read_text().strip() if file else environ.get(name, "")


def tls(found: argparse.Namespace) -> Tls:
    """A certificate is checked where it is asked for, or a signer is named."""
    if found.tls == "off":
        return Tls(None)
    context = ssl.create_default_context(cafile=found.tls_ca)
    if found.tls != "verify" and not found.tls_ca:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return Tls(context, is_required=found.tls != "prefer" or bool(found.tls_ca))


def collect(servers: Mapping[str, Address], way: Way) -> list[Asked]:
    progress, answers = Progress(len(servers), sys.stderr), []
    for asked in gather(servers, way):
        progress.tell(asked)
        answers.append(asked)
    return answers


def ask_all(found: argparse.Namespace) -> list[Asked]:
    account = Account(found.user, secret(os.environ, "COLLECTOR_PASSWORD", found.password_file))
    way = Way(account, tls(found), patience=found.timeout, at_once=found.at_once)
    servers = hosts(found.hosts.read_text())
    return collect(servers, way)


def keep(path: Path, lines: list[str]) -> None:
    """A file that nobody else can read, as identities are in it; whole or not at all."""
    draft = path.with_name(path.name + ".draft")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.writelines(f"{text}\n" for text in lines)
    draft.replace(path)


def run(found: argparse.Namespace) -> int:
    failed = 0
    if found.source:
        lines = found.source.read_text().splitlines()
    else:
        asked = ask_all(found)
        lines = [line(one) for one in asked if one.report]
        failed = len(asked) - len(lines)
    if found.output and lines:
        keep(found.output, lines)
    if found.submit and lines:
        told = submit(found.submit, secret(os.environ, "PORTAL_TOKEN", found.token_file), lines)
        for refused in told.refused:
            sys.stderr.write(f"{refused}\n")
        failed += len(told.refused)
        sys.stderr.write(f"{told.taken} reports submitted\n")
    return SOME_FAILED if failed else 0


def main(words: list[str]) -> int:
    found = options(words)
    try:
        return run(found)
    except SubmissionError as error:
        sys.stderr.write(f"not submitted: {error}\n")
        return NOT_SUBMITTED
    except (OSError, HostError, UnicodeDecodeError) as error:
        sys.stderr.write(f"{error}\n")
        return MISUSED
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
