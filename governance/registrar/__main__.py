"""`python -m governance.registrar`: listens on REGISTRAR_SOCKET until it is told to stop.

Its settings come from the environment alone: STATE_DIR, REGISTRAR_SOCKET, REGISTRAR_DATABASE_URL.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from governance.offices.desk import Server
from governance.offices.process import belongings, main
from governance.registrar.desk import verbs
from governance.registrar.office import STEPS, Office
from portal.processes import resolved

logger = logging.getLogger("governance.registrar")


def serve() -> None:
    address = Path(resolved(os.environ)["REGISTRAR_SOCKET"])
    with belongings("registrar", STEPS) as (folder, database):
        office = Office(folder, database)
        with Server(address, verbs(office)) as server:
            logger.info("listening on %s", address)
            server.serve_forever()


if __name__ == "__main__":
    main(serve)
