"""Run the tests that failed in the run before once more, alone; exit with pytest's answer.

For `.ci/run` (docs/decisions/0193). Pytest's own `--last-failed` does not know a test again that
ran in a group of workers: its name was noted with the group behind an `@`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

NOTED = Path(".pytest_cache/v/cache/lastfailed")
MOST = 10  # more than a few failures are a fault, whatever a second run says
GROUP = re.compile(r"@[^@\]]+$")  # an `@` among parameters has their bracket behind it


def main() -> int:
    names = sorted({GROUP.sub("", name) for name in json.loads(NOTED.read_text())})
    if not 0 < len(names) <= MOST:
        print(f"{len(names)} failures are noted; from 1 to {MOST} are run again.")
        return 1
    NOTED.unlink()  # what fails again is noted anew
    ended = subprocess.run([sys.executable, "-m", "pytest", "-n0", *names], check=False).returncode
    for name in names if ended == 0 else ():
        print(f"UNSTEADY {name} failed among others and passed alone")
    return ended


if __name__ == "__main__":
    sys.exit(main() if NOTED.exists() else 1)
