"""The way to an office behind its Unix socket, and what it may say in place of an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from portal.lib import sockets
from portal.lib.sockets import Message

SECONDS = 15.0  # for each piece of an answer


class OfficeRefusedError(Exception):
    """The office understood and will not do it; asking again is of no use.

    `code` is one word of the list in the module of the client, `message` says it to people.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class OfficeUnavailableError(Exception):
    """The office does not answer now; ask the same again later."""


class Caller:
    """Asks one office; one connection for each question."""

    office: ClassVar[str]
    refused: ClassVar[type[OfficeRefusedError]]
    unavailable: ClassVar[type[OfficeUnavailableError]]

    def __init__(self, address: Path, seconds: float = SECONDS) -> None:
        self.address, self.seconds = address, seconds

    def ping(self) -> None:
        self._ask("ping")

    def _ask(self, verb: str, body: bytes = b"", **head: Any) -> Message:
        question = {"verb": verb, **head}
        try:
            answer, reply = sockets.ask(self.address, question, body, seconds=self.seconds)
        except (OSError, EOFError, ValueError) as error:
            raise self.unavailable(f"{self.office} at {self.address}: {error}") from error
        if "busy" in answer:
            raise self.unavailable(answer["busy"])
        if "refused" in answer:
            raise self.refused(answer["refused"], answer["message"])
        return answer, reply
