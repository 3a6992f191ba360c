"""What can go wrong, with the exit status of each; docs/api.md lists them."""

from __future__ import annotations

OK, REFUSED, MISUSED, UNREACHABLE, UNREADABLE, UNKNOWN_TOKEN = 0, 1, 2, 3, 4, 5
INTERRUPTED = 130


class PortalError(Exception):
    """Ends the program; the words say what to do next."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
