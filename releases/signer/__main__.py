"""`python -m releases.signer`: listens on a Unix socket until it is told to stop.

Its settings come from the environment alone: STATE_DIR, SIGNER_SOCKET, SIGNER_USER_ID.
"""

from __future__ import annotations

import fcntl
import logging
import os
import signal
import socketserver
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from releases.signer import key
from releases.signer.office import Office
from releases.signing import PublicKey, SigningRefusedError, receive, send

logger = logging.getLogger("releases.signer")

Reply = tuple[dict[str, Any], bytes]


def _ping(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, b""


def _public_key(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return _introduce(office.public_key())


def _file_key(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return _introduce(office.file_key())


def _introduce(found: PublicKey) -> Reply:
    words = {"fingerprint": found.fingerprint, "user_id": found.user_id, "armored": found.armored}
    return words, found.binary


def _sign_release(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    signed = office.sign_release(str(head["repository"]), int(head["serial"]), body)
    return {"detached": signed.detached.decode()}, signed.inline


def _sign_repomd(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, office.sign_repomd(str(head["repository"]), int(head["serial"]), body)


def _sign_rpm_header(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, office.sign_rpm_header(body)


def _sign_file(office: Office, head: dict[str, Any], body: bytes, passed: list[int]) -> Reply:
    return {}, office.sign_file(passed[0])


VERBS: Final[dict[str, Callable[[Office, dict[str, Any], bytes, list[int]], Reply]]] = {
    "ping": _ping,
    "public_key": _public_key,
    "file_key": _file_key,
    "sign_release": _sign_release,
    "sign_repomd": _sign_repomd,
    "sign_rpm_header": _sign_rpm_header,
    "sign_file": _sign_file,
}


class Desk(socketserver.BaseRequestHandler):
    """One connection: a question, an answer."""

    server: Server

    def handle(self) -> None:
        try:
            head, body, passed = receive(self.request)
        except (EOFError, ValueError, OSError):
            return  # somebody only looked whether we are here
        try:
            answer, reply = VERBS[head["verb"]](self.server.office, head, body, passed)
        except SigningRefusedError as error:
            logger.warning("refused %s: %s", head.get("verb"), error)
            answer, reply = {"refused": str(error)}, b""
        except (KeyError, IndexError, ValueError, TypeError) as error:
            answer, reply = {"refused": f"this question is not understood: {error}"}, b""
        finally:
            for number in passed:
                os.close(number)
        send(self.request, answer, reply, [])


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address: Path, office: Office) -> None:
        self.office = office
        address.unlink(missing_ok=True)
        super().__init__(os.fspath(address), Desk)
        address.chmod(0o660)


def main() -> int:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    state = Path(os.environ["STATE_DIR"])
    address = Path(os.environ.get("SIGNER_SOCKET") or state / "signer.sock")
    user_id = os.environ.get("SIGNER_USER_ID") or "Foundation packages <packages@localhost>"
    folder = state / "signer"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            logger.error("another signer holds %s: one key has one signer", folder)
            return 1
        office = Office(
            folder,
            key.load_or_make(folder / "key.pgp", user_id),
            key.load_or_make(folder / "files.pgp", f"Files of {user_id}"),
        )
        with Server(address, office) as server:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
            logger.info("signing with %s on %s", office.public_key().fingerprint, address)
            server.serve_forever()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except key.KeyUnsafeError as error:
        sys.exit(str(error))
