#!/usr/bin/env python3
"""Votes in a sealed election without a browser: python3 vote.py --help

Needs Python 3.11 or later and the package `cryptography` (pip install cryptography).
The modules that do the work are beside it, in the folder `code`.
"""

import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - it is started by whatever Python is there
    sys.stderr.write("This program needs Python 3.11 or later.\n")
    sys.exit(2)
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "code"))
try:
    import cryptography  # noqa: F401 - only whether it is there
except ImportError:
    sys.stderr.write("The package `cryptography` is missing: pip install cryptography\n")
    sys.exit(2)

if __name__ == "__main__":
    from governance.voting.vote import main

    sys.exit(main())
