"""`python -m governance.box`: listens on BOX_SOCKET until it is told to stop, and makes the blocks.

Its settings come from the environment alone: STATE_DIR, BOX_SOCKET, BOX_DATABASE_URL.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from pathlib import Path
from typing import Final

from governance.box.board import STEPS
from governance.box.desk import verbs
from governance.box.office import Office
from governance.offices.desk import Server
from governance.offices.keys import FolderTakenError, KeyUnsafeError
from governance.offices.process import Clock, belongings, main, system_clock
from portal.processes import resolved

logger = logging.getLogger("governance.box")

EVERY: Final = 1.0  # seconds
QUIET: Final = 60.0  # seconds between two lines about the same trouble


def tend(office: Office, every: float) -> None:
    """For ever, whatever the database does meanwhile."""
    told_until = 0.0
    while True:
        try:
            office.tend()
        except Exception as error:
            if time.monotonic() >= told_until:
                is_ours = isinstance(error, KeyUnsafeError | FolderTakenError)
                told = error if is_ours else type(error).__name__  # others may hold a ballot
                logger.error("no block could be made: %s", told)
                told_until = time.monotonic() + QUIET
        time.sleep(every)


def serve(clock: Clock = system_clock, every: float = EVERY) -> None:
    address = Path(resolved(os.environ)["BOX_SOCKET"])
    with belongings("box", STEPS) as (folder, database):
        office = Office(folder, database, clock)
        threading.Thread(target=tend, args=(office, every), daemon=True).start()
        with Server(address, verbs(office)) as server:
            logger.info("listening on %s", address)
            server.serve_forever()


if __name__ == "__main__":
    main(serve)
