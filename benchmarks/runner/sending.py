"""Files into a portal, by the portal's own command line client."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from benchmarks.client import portal_benchmark

SCHEMA = "bench-upload/"


def add_arguments(command: argparse.ArgumentParser, name: str) -> None:
    command.add_argument("files", nargs="+")
    command.add_argument("--url", default=os.environ.get("PORTAL_URL", "http://localhost:8000"))
    command.add_argument("--suite", default="")
    command.add_argument("--title", default="")
    command.set_defaults(do=send, own=name == "upload")


def send(given: argparse.Namespace) -> int:
    """Files of `run` say themselves what the machine is; those of other tools are told it.

    The token comes from PORTAL_TOKEN only: a command line is seen by everybody on a machine.
    """
    for name in given.files if given.own else []:
        data = json.loads(Path(name).read_text())
        if not isinstance(data, dict) or not str(data.get("schema", "")).startswith(SCHEMA):
            raise ValueError(f"{name} is not the portal's format; use import.")
    words = ["--url", given.url, "upload", *given.files]
    words += ["--suite", given.suite, "--title", given.title]
    return portal_benchmark.main(words + (["--no-environment"] if given.own else []))
