"""`python -m benchmarks.runner`: doctor, run, compare, report, upload, import."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from benchmarks.runner import comparing, doctor, report, running, sending
from benchmarks.runner.cases import TABLES
from benchmarks.runner.drivers import all_drivers
from benchmarks.runner.plan import Measurement, Timing, measurements
from benchmarks.runner.server import DATABASE, ServerError, given_server, own_server


def main(words: Sequence[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        return int(arguments.do(arguments))
    except (ServerError, OSError, ValueError) as problem:
        say(f"{problem}")
        return 1
    except KeyboardInterrupt:
        return 130


def say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="python -m benchmarks.runner", description=__doc__)
    commands = whole.add_subparsers(dest="command", required=True)
    looking = commands.add_parser("doctor", help="what is there, what is missing, how quiet it is")
    looking.add_argument("--install", action="store_true", help="fetch and build the drivers first")
    looking.add_argument("--drivers", type=_list, default=[])
    looking.set_defaults(do=lambda given: doctor.look(given.drivers, install=given.install))
    _add_run(commands.add_parser("run", help="measure, and write the portal's format"))
    against = commands.add_parser("compare", help="two files of the portal's format, offline")
    against.add_argument("a", help="FILE or FILE:subject, the address of a subject in it")
    against.add_argument("b")
    against.set_defaults(do=lambda given: comparing.show(given.a, given.b))
    telling = commands.add_parser("report", help="files of `run` as tables and a picture")
    telling.add_argument("files", nargs="+")
    telling.add_argument("--svg", default="", help="file for the picture")
    telling.add_argument("--pairs", default="", help="a JSON list of pairs to be compared")
    telling.set_defaults(do=lambda given: report.show(given.files, given.svg, given.pairs))
    for name, text in (
        ("upload", "send files that `run` wrote to a portal"),
        ("import", "send files of other benchmark tools to a portal"),
    ):
        sending.add_arguments(commands.add_parser(name, help=text), name)
    return whole


def _list(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _numbers(text: str) -> list[int]:
    return [int(word) for word in _list(text)]


def _add_run(command: argparse.ArgumentParser) -> None:
    command.add_argument("--plan", help="a JSON list of selections, instead of the options")
    command.add_argument("--suite", default="fast_queries")
    for name in ("drivers", "cases", "transport", "prepare", "placement"):
        command.add_argument(f"--{name}", type=_list, default=[], help="several with commas")
    command.add_argument("--threads", type=_numbers, default=[], help="workers of a parallel load")
    command.add_argument("--processes", type=int, default=10)
    command.add_argument("--warmup", type=float, default=0.3, help="seconds; three times in Java")
    command.add_argument("--samples", type=int, default=5, help="of one process")
    command.add_argument("--seconds", type=float, default=0.2, help="of one sample")
    command.add_argument("--minutes", type=float, default=0, help="begin no round that ends later")
    command.add_argument("--seed", type=int, help="of the order; kept in the file")
    command.add_argument("--title", default="")
    command.add_argument("--out", default=".", help="folder for the files, one for each suite")
    command.add_argument("--server", help="host:port of a server that is there already")
    command.add_argument("--socket", default="")
    command.add_argument("--user", default="root", help="its password in BENCH_PASSWORD")
    command.set_defaults(do=_run)


def _run(given: argparse.Namespace) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that our own server ends, too
    timing = Timing(given.processes, given.warmup, given.samples, given.seconds)
    wanted: dict[str, list[Measurement]] = defaultdict(list)
    minutes: dict[str, float] = defaultdict(lambda: given.minutes)
    Path(given.out).mkdir(parents=True, exist_ok=True)  # now, not after an hour of measuring
    for selection in _selections(given):
        if given.server:  # where its processes run cannot be known
            selection["placement"] = ["unknown"]
        unknown = set(selection.get("drivers") or []) - set(all_drivers())
        if unknown:
            raise ValueError(f"No such driver: {', '.join(sorted(unknown))}. See doctor.")
        if "minutes" in selection:
            minutes[selection["suite"]] = selection["minutes"]
        for one in measurements(selection, timing):
            wanted[one.suite].append(one)
    seed = given.seed if given.seed is not None else int.from_bytes(os.urandom(4))
    where = running.places(own_server=not given.server)
    with own_server(where.server) if not given.server else nullcontext(_given(given)) as server:
        server.ask(";".join([f"USE {DATABASE}", *TABLES]))
        for suite, list_ in wanted.items():
            title = given.title or f"Connectors, {suite.replace('_', ' ')}"
            found = running.measured(
                suite,
                list_,
                server,
                where,
                seed=seed,
                title=title,
                command=_command(given),
                minutes=minutes[suite],
            )
            path = Path(given.out) / f"{suite}.json"
            path.write_text(json.dumps(found) + "\n")
            failed = sum("error" in one for one in found["results"])
            say(f"{path}: {len(found['results'])} results, {failed} that could not be measured")
    return 0


def _selections(given: argparse.Namespace) -> list[dict[str, Any]]:
    if given.plan:
        return list(json.loads(Path(given.plan).read_text()))
    names = ("suite", "drivers", "cases", "transport", "prepare", "placement", "threads")
    return [{name: getattr(given, name) for name in names}]


def _command(given: argparse.Namespace) -> str:
    """What was asked for, without paths and accounts."""
    if given.plan:
        return f"run --plan {Path(given.plan).name}"
    names = ("suite", "processes", "warmup", "samples", "seconds")
    return " ".join(["run", *(f"--{name} {getattr(given, name)}" for name in names)])


def _given(given: argparse.Namespace) -> Any:
    host, _, port = given.server.rpartition(":")
    address = {"host": host, "port": port, "socket": given.socket, "user": given.user}
    return given_server({**address, "password": os.environ.get("BENCH_PASSWORD", "")})
