"""From the bytes that a server posts to keys and values. Pure.

The client is `plugin/feedback` of the server: one part, lines of KEY, tab, VALUE, nothing escaped.
`clean` is what the receiver does before anything is stored: it classifies the report, turns the
server's identity into a keyed hash and blanks what must never be kept. `parse` reads the result.
"""

from __future__ import annotations

import enum
import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Final

LINE_LIMIT: Final = 5_000
KEY_LIMIT: Final = 128  # bytes
VALUE_LIMIT: Final = 1_024  # bytes
UID_LIMIT: Final = 100
KEY_SIZE: Final = 16  # bytes of a server key

NO_IDENTITY: Final = b""
_UID: Final = b"FEEDBACK_SERVER_UID"
_USER_INFO: Final = b"FEEDBACK_USER_INFO"
_PRODUCT: Final = b"PRODUCT"
_TEST_RUN: Final = b"mysql-test"
_HEADER: Final = (b"VARIABLE_NAME", b"VARIABLE_VALUE")
_ESCAPES: Final = {b"n": b"\n", b"t": b"\t", b"0": b"", b"\\": b"\\", b"r": b"\r"}
_ESCAPED: Final = re.compile(rb"\\(.)", re.DOTALL)

# What could name a person, a company or a machine. The value is blanked, the key stays.
SENSITIVE: Final = frozenset(
    {
        b"BINLOG_SNAPSHOT_FILE",
        b"FEEDBACK_HTTP_PROXY",
        b"FEEDBACK_SERVER_UID",
        b"FEEDBACK_URL",
        b"FEEDBACK_USER_INFO",
        b"INNODB_FT_AUX_TABLE",
        b"INNODB_FT_SERVER_STOPWORD_TABLE",
        b"INNODB_FT_USER_STOPWORD_TABLE",
        b"SSL_SERVER_NOT_AFTER",
        b"SSL_SERVER_NOT_BEFORE",
        b"UNAME_VERSION",
        b"WSREP_CLUSTER_ADDRESS",
        b"WSREP_CLUSTER_NAME",
        b"WSREP_CLUSTER_STATE_UUID",
        b"WSREP_GCOMM_UUID",
        b"WSREP_INCOMING_ADDRESSES",
        b"WSREP_LOCAL_STATE_UUID",
        b"WSREP_NODE_ADDRESS",
        b"WSREP_NODE_INCOMING_ADDRESS",
        b"WSREP_NODE_NAME",
        b"WSREP_PROVIDER_OPTIONS",
        b"WSREP_SST_AUTH",
        b"WSREP_SST_DONOR",
        b"WSREP_SST_RECEIVE_ADDRESS",
    }
)
# A build's own comment may name who built it; these are the makers that everybody knows.
_KNOWN_COMMENT: Final = re.compile(
    rb"(?:mariadb\.org binary distribution|MariaDB Server|Source distribution|Homebrew|Arch Linux"
    rb"|FreeBSD Ports|managed by .{0,20}|MaxScale"
    rb"|(?:Debian|Ubuntu|Fedora|Alpine|Gentoo|openSUSE|SUSE)[ \w.:~+-]{0,30})",
    re.IGNORECASE,
)


class Kind(enum.StrEnum):
    """What sent a report."""

    SERVER = "server"
    MAXSCALE = "maxscale"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Clean:
    """A report as it may be stored. `server_key` is empty when the sender says no usable UID."""

    kind: Kind
    server_key: bytes
    body: bytes


def payload(body: bytes) -> bytes:
    """The content of the one part, or the body as it is where it is not multipart.

    The closing delimiter follows a bare line feed, so strict multipart readers refuse it.
    """
    if not body.startswith(b"--"):
        return body
    _, empty_line, rest = body.partition(b"\r\n\r\n")
    if not empty_line:
        return b""
    end = rest.rfind(b"\n--")
    return rest if end < 0 else rest[:end]


def clean(body: bytes, pepper: bytes) -> Clean:
    """Read the posted `body` once: nothing that identifies a sender is in the result.

    Lines without a tab, and what goes beyond the limits of lines, keys and values, are dropped.
    The first value of a key counts, so that a value cannot overrule the server's own lines.
    """
    kind = Kind.SERVER
    uid = b""
    kept: dict[bytes, bytes] = {}
    lines = payload(body).split(b"\n", LINE_LIMIT)[:LINE_LIMIT]
    manual = _is_manual(lines[0])
    for line in lines[1:] if manual else lines:
        name, tab, value = line.partition(b"\t")
        if not tab or not 0 < len(name) <= KEY_LIMIT:
            continue
        value = value.rstrip(b"\r")
        if manual:
            value = _unescaped(value)
        key = name.upper()
        if key in kept:
            continue
        if key == _UID:
            uid = value
        elif key == _USER_INFO and value.strip(b"\0 ") == _TEST_RUN:
            kind = Kind.TEST
        elif key == _PRODUCT and value.strip(b"\0 ").lower() == b"maxscale":
            kind = Kind.MAXSCALE
        kept[key] = b"" if _must_go(key, value) else value[:VALUE_LIMIT]
    text = b"\n".join([key + b"\t" + value for key, value in kept.items()])
    return Clean(kind, server_key(uid, pepper), text)


def _is_manual(line: bytes) -> bool:
    """The first line of a report that the command line client wrote names the two columns."""
    return tuple(line.rstrip(b"\r").upper().split(b"\t")) == _HEADER


def _unescaped(value: bytes) -> bytes:
    """The command line client writes line feeds, tabs, NUL and backslashes with a backslash."""
    if b"\\" not in value:
        return value
    text = _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[0]), value)
    return text.replace(b"\n", b" ")


def _must_go(key: bytes, value: bytes) -> bool:
    if key == b"VERSION_COMMENT":
        return _KNOWN_COMMENT.fullmatch(value) is None
    return key in SENSITIVE


def server_key(uid: bytes, pepper: bytes) -> bytes:
    """The keyed hash that stands for a server, 16 bytes; empty without a usable UID.

    The UID is base64(SHA1(port, MAC address)) and can be enumerated: hence the secret pepper.
    """
    uid = uid.strip(b"\0\r ")
    if not uid or len(uid) > UID_LIMIT or uid.lower() == b"unknown":
        return NO_IDENTITY
    return hmac.new(pepper, uid, hashlib.sha256).digest()[:KEY_SIZE]


def parse(body: bytes) -> dict[str, str]:
    """Keys in capitals and their values, from a clean body. Text that PostgreSQL can hold."""
    values: dict[str, str] = {}
    for line in body.split(b"\n"):
        name, tab, value = line.partition(b"\t")
        if tab:
            values.setdefault(_text(name).upper(), _text(value))
    return values


def _text(raw: bytes) -> str:
    return raw.replace(b"\0", b"").decode("utf-8", errors="replace")
