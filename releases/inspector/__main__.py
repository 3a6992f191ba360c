"""`python -m releases.inspector`: the worker asks on standard input, a socket (see server.py).

It knows no Django, no database and no path of a package.
"""

from __future__ import annotations

import gc
import signal
import socket
import sys
from typing import Final

from releases.inspector.confinement import confine_server
from releases.inspector.reader import load_readers, read_package
from releases.inspector.server import serve

# Whoever stops the worker's whole group lets it finish its package; it ends us by hanging up.
DEAF_TO: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> int:
    for number in DEAF_TO:
        signal.signal(number, signal.SIG_IGN)
    load_readers()
    gc.freeze()  # readers share the memory of what is loaded
    confine_server()
    with socket.socket(fileno=sys.stdin.fileno()) as control:
        serve(control, read_package)
    return 0


if __name__ == "__main__":
    sys.exit(main())
