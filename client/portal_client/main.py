"""The commands, their options, and the way out."""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional

from portal_client import (
    __version__,
    benchmarks,
    completion,
    portal_benchmark,
    portal_upload,
    releases,
    repository,
    votes,
)
from portal_client.errors import INTERRUPTED, OK, PortalError

CODES = """exit status: 0 done, 1 the portal refused, 2 wrong use, 3 the portal cannot be reached,
4 a file here cannot be read or written, 5 the token is not good, 130 interrupted"""


def run() -> None:
    sys.exit(main())


def main(words: Optional[List[str]] = None) -> int:
    """The exit status."""
    asked = sys.argv[1:] if words is None else words
    if asked[:1] == ["complete"]:
        print("\n".join(completion.candidates(parser(), asked[1:])))
        return OK
    options = parser().parse_args(asked)
    try:
        status: int = options.do(options)
    except PortalError as error:
        print(f"portal: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print("portal: stopped; run the same command again to go on", file=sys.stderr)
        return INTERRUPTED
    return status


def parser() -> argparse.ArgumentParser:
    """All commands."""
    whole = argparse.ArgumentParser(
        prog="portal", description="The command line of a Foundation Portal.", epilog=CODES
    )
    whole.add_argument("--version", action="version", version=__version__)
    commands = whole.add_subparsers(metavar="COMMAND", required=True)
    common = _common()
    _releases(commands, common)
    _repo(commands, common)
    _bench(commands, common)
    listed = commands.add_parser("votes", help="list your open votes", parents=[common])
    listed.set_defaults(do=votes.open_votes)
    shells = commands.add_parser("completion", help="print the completion of a shell")
    shells.add_argument("shell", choices=sorted(completion.SHELLS))
    shells.set_defaults(do=_completion)
    return whole


def _common() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--url", default="", help="the portal; else PORTAL_URL or the config file")
    common.add_argument("--token-file", default="", help="a file with the token, chmod 600")
    common.add_argument("--json", action="store_true", help="one JSON document on standard output")
    return common


def _releases(commands: "argparse._SubParsersAction", common: argparse.ArgumentParser) -> None:  # type: ignore[type-arg]
    noun = commands.add_parser("releases", help="files of releases")
    verbs = noun.add_subparsers(metavar="COMMAND", required=True)
    send = verbs.add_parser("upload", help="send files of a draft release", parents=[common])
    portal_upload.add_what(send)
    send.set_defaults(do=releases.upload)


def _repo(commands: "argparse._SubParsersAction", common: argparse.ArgumentParser) -> None:  # type: ignore[type-arg]
    noun = commands.add_parser("repo", help="repositories")
    verbs = noun.add_subparsers(metavar="COMMAND", required=True)
    configure = verbs.add_parser(
        "config", help="write the configuration for this machine", parents=[common]
    )
    for name in repository.CHOICES:
        configure.add_argument(f"--{name}", default="", help="instead of what fits this machine")
    configure.add_argument("--format", default="", help="such as sources, list, repo, dockerfile")
    configure.add_argument("--write", action="store_true", help="put the files in place (as root)")
    configure.add_argument("--root", default="/", help="the root of another system")
    configure.set_defaults(do=repository.config)


def _bench(commands: "argparse._SubParsersAction", common: argparse.ArgumentParser) -> None:  # type: ignore[type-arg]
    noun = commands.add_parser("bench", help="benchmarks")
    verbs = noun.add_subparsers(metavar="COMMAND", required=True)
    send = verbs.add_parser("upload", help="send files of a benchmark tool", parents=[common])
    portal_benchmark.add_what(send)
    send.set_defaults(do=benchmarks.upload)


def _completion(options: argparse.Namespace) -> int:
    sys.stdout.write(completion.SHELLS[options.shell])
    return OK
