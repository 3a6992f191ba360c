"""The socket of the signer: each connection brings one question and takes one answer."""

from __future__ import annotations

import logging
import os
import socketserver
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from portal.lib import sockets
from portal.lib.sockets import receive, send
from releases.signer.office import Office
from releases.signer.secret import KeyUnsafeError
from releases.signing import SignerBusyError, SigningRefusedError, keys_as_json

logger = logging.getLogger("releases.signer")

SECONDS: Final = 30.0  # for each piece of a question or an answer
Reply = tuple[dict[str, Any], bytes]


def _ping(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, b""


def _keys(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, keys_as_json(office.public_keys())


def _sign_release(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    signed = office.sign_release(str(head["repository"]), int(head["serial"]), body)
    return {"detached": signed.detached.decode()}, signed.inline


def _sign_repomd(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, office.sign_repomd(str(head["repository"]), int(head["serial"]), body)


def _sign_rpm_header(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, office.sign_rpm_header(str(head["product"]), body)


def _sign_advisory(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, office.sign_advisory(str(head["identifier"]), body)


def _sign_decisions(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, office.sign_decisions(body)


def _sign_file(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, office.sign_file(passed[0])


VERBS: Final[dict[str, Callable[[Office, dict[str, Any], bytes, list[int]], Reply]]] = {
    "ping": _ping,
    "keys": _keys,
    "sign_release": _sign_release,
    "sign_repomd": _sign_repomd,
    "sign_rpm_header": _sign_rpm_header,
    "sign_advisory": _sign_advisory,
    "sign_decisions": _sign_decisions,
    "sign_file": _sign_file,
}


class Desk(socketserver.BaseRequestHandler):
    """One connection: a question, an answer."""

    server: Server

    def setup(self) -> None:
        self.request.settimeout(self.server.seconds)

    def handle(self) -> None:
        try:
            head, body, passed = receive(self.request)
        except (EOFError, ValueError, OSError):
            return  # somebody only looked whether we are here
        try:
            answer, reply = self._answer(head, body, passed)
        finally:
            for number in passed:
                os.close(number)
        try:
            send(self.request, answer, reply, [])
        except OSError:
            logger.warning("nobody took the answer to %s", head.get("verb"))

    def _answer(self, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
        try:
            return VERBS[head["verb"]](self.server.office, head, body, passed)
        except SignerBusyError as error:
            logger.warning("put off %s: %s", head.get("verb"), error)
            return {"busy": str(error)}, b""
        except KeyUnsafeError as error:  # an agent that does not answer may do so later
            logger.error("%s: %s", head.get("verb"), error)
            return {"busy": str(error)}, b""
        except SigningRefusedError as error:
            logger.warning("refused %s: %s", head.get("verb"), error)
            return {"refused": str(error)}, b""
        except (KeyError, IndexError, ValueError, TypeError) as error:
            return {"refused": f"this question is not understood: {error}"}, b""


class Server(sockets.Server):
    request_queue_size = 64
    seconds = SECONDS

    def __init__(self, address: Path, office: Office) -> None:
        self.office = office
        super().__init__(address, Desk)
