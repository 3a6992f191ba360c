"""The ballot box with a clock that hurries: `python -m governance.tests.hasty_box NOW STARTED`."""

from __future__ import annotations

import sys
import time
from datetime import datetime, timedelta
from functools import partial

from governance.box.__main__ import serve
from governance.offices.process import main

HOUR_SECONDS = 0.1
EVERY = 0.02


def now(at: datetime, started: float) -> datetime:
    return at + timedelta(hours=(time.time() - started) / HOUR_SECONDS)


if __name__ == "__main__":
    clock = partial(now, datetime.fromisoformat(sys.argv[1]), float(sys.argv[2]))
    main(partial(serve, clock, EVERY))
