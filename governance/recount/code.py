"""The program that goes into a bundle: copies of the pure modules, and what starts them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import governance

FOLDER: Final = "code/"
PROGRAM: Final = "recount.py"
README: Final = "README.txt"
NAME: Final = "recount"  # of its hash in a manifest
_HOME: Final = Path(governance.__file__).resolve().parent
_MODULES: Final = (
    "__init__.py",
    "bundle/__init__.py",
    "bundle/chain.py",
    "bundle/plain.py",
    "recount/*.py",
    "sealed/*.py",
    "tally/__init__.py",
    "tally/contest.py",
    "tally/formats/*.py",
    "tally/irv.py",
    "tally/marks.py",
    "tally/meek.py",
    "tally/papers.py",
    "tally/question.py",
    "tally/schulze.py",
    "tally/scottish.py",
    "tally/stages.py",
    "tally/ties.py",
)


def modules() -> dict[str, bytes]:
    """The modules that count, as they run here, by their names in a bundle."""
    return dict(_modules())


@cache
def _modules() -> dict[str, bytes]:
    paths = sorted(path for pattern in _MODULES for path in _HOME.glob(pattern))
    return {
        f"{FOLDER}governance/{path.relative_to(_HOME).as_posix()}": path.read_bytes()
        for path in paths
    }


def shipped() -> dict[str, bytes]:
    """The modules, the program that starts them, and what to read first."""
    here = Path(__file__).resolve().parent
    beside = {PROGRAM: here / "start.py", README: here / "readme.txt"}
    return modules() | {name: path.read_bytes() for name, path in beside.items()}


def digest(found: dict[str, bytes] | None = None) -> str:
    """Names a version of the counting program: a manifest can have it in `code` under `NAME`."""
    files = modules() if found is None else found
    lines = [f"{sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)]
    return sha256("".join(lines).encode()).hexdigest()
