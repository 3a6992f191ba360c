"""`python -m releases.signer`: listens on a Unix socket until it is told to stop.

With words it is the operator's command: `python -m releases.signer key list`, `... log check`.
Its settings come from the environment alone: STATE_DIR, SIGNER_SOCKET, SIGNER_USER_ID, SIGNER_RATE,
SIGNER_RATE_REPOSITORY.
"""

from __future__ import annotations

import fcntl
import logging
import os
import signal
import sys
from pathlib import Path

from portal.lib import logs
from releases.signer import command, key
from releases.signer.desk import Server
from releases.signer.log import Log
from releases.signer.office import Office
from releases.signer.rate import Rate
from releases.signer.register import Register
from releases.signer.replay import LogBrokenError
from releases.signer.ring import Ring
from releases.signer.secret import KeyUnsafeError

logger = logging.getLogger("releases.signer")


def serve(state: Path) -> int:
    address = Path(os.environ.get("SIGNER_SOCKET") or state / "signer.sock")
    folder = state / "signer"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            logger.error("another signer holds %s: one key has one signer", folder)
            return 1
        register = Register(folder)
        key.prepare(register, command.user_id())
        office = Office(Ring(register), Log(folder), rate())
        with Server(address, office) as server:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
            for public in office.public_keys():
                logger.info("%s %s %s", public.state, public.name, public.fingerprint)
            logger.info("listening on %s", address)
            try:
                server.serve_forever()
            finally:
                office.close()
    return 0


def rate() -> Rate:
    """How many signatures in a minute, from the environment."""
    return Rate(
        in_all=int(os.environ.get("SIGNER_RATE") or 6000),
        for_each=int(os.environ.get("SIGNER_RATE_REPOSITORY") or 120),
    )


def main(words: list[str]) -> int:
    logs.begin()
    state = Path(os.environ.get("STATE_DIR") or "var")
    if words:
        return command.run(state / "signer", words)
    return serve(state)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except (KeyUnsafeError, LogBrokenError, key.KeyRefusedError, ValueError) as error:
        sys.exit(str(error))
