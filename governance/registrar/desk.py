"""The questions that the registrar answers."""

from __future__ import annotations

import json
from operator import index

from governance.offices.desk import Answer
from governance.registrar.office import Office
from governance.sealed.wire import to_bytes
from portal.lib.sockets import Head, Message


def verbs(office: Office) -> dict[str, Answer]:
    def ping(head: Head, body: bytes) -> Message:
        office.ping()
        return {}, b""

    def key(head: Head, body: bytes) -> Message:
        return {}, office.key(str(head["contest"]))

    def open_(head: Head, body: bytes) -> Message:
        office.open(body, [to_bytes(each) for each in head["signatures"]])
        return {}, b""

    def sign(head: Head, body: bytes) -> Message:
        return {}, office.sign(str(head["contest"]), index(head["number"]), body)

    def issued(head: Head, body: bytes) -> Message:
        return {}, json.dumps(office.issued(str(head["contest"]))).encode()

    return {"ping": ping, "key": key, "open": open_, "sign": sign, "issued": issued}
