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
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

LINE_LIMIT: Final = 5_000
KEY_LIMIT: Final = 128  # letters
VALUE_LIMIT: Final = 1_024  # letters
UID_LIMIT: Final = 100
KEY_SIZE: Final = 16  # bytes of a server key

NO_IDENTITY: Final = b""
_UID: Final = b"FEEDBACK_SERVER_UID"
_USER_INFO: Final = b"FEEDBACK_USER_INFO"
_PRODUCT: Final = b"PRODUCT"
_COMMENT: Final = b"VERSION_COMMENT"
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
_WORD: Final = re.compile(rb"(?:claim|delete):[A-Z2-7-]{8,40}", re.IGNORECASE)
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
    code: str = ""  # in the administrator's own words, "claim:<code>" or "delete:<code>"


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

    The lines stay as they came, but for what must never be kept; `parse` reads them later, so
    that this costs the receiver little. The first value of a key counts.
    """
    content = payload(body).replace(b"\0", b"")  # or a key with a NUL in it is none we know
    if _is_manual(content.partition(b"\n")[0]):
        content = _posted(content)
    if content.count(b"\n") >= LINE_LIMIT:
        content = b"\n".join(content.split(b"\n", LINE_LIMIT)[:LINE_LIMIT])
    said: dict[bytes, bytes] = {}

    def without_name(line: re.Match[bytes]) -> bytes:
        key, value = line[1].upper(), line[2].rstrip(b"\r")
        said.setdefault(key, value)
        return b"\n" + line[1] + b"\t" if _must_go(key, value) else line[0]

    text = _TELLING.sub(without_name, b"\n" + content)[1:]
    word = _WORD.fullmatch(said.get(_USER_INFO, b"").strip(b"\0 "))
    code = word[0].decode().lower() if word else ""
    return Clean(_kind(said), server_key(said.get(_UID, b""), pepper), text, code)


def _kind(said: Mapping[bytes, bytes]) -> Kind:
    if said.get(_USER_INFO, b"").strip(b"\0 ") == _TEST_RUN:
        return Kind.TEST
    if said.get(_PRODUCT, b"").strip(b"\0 ").lower() == b"maxscale":
        return Kind.MAXSCALE
    return Kind.SERVER


def _posted(content: bytes) -> bytes:
    """What the command line client wrote to a file, as a server would have posted it."""
    lines = [line.partition(b"\t") for line in content.split(b"\n")[1:]]
    return b"\n".join([key + tab + _unescaped(value.rstrip(b"\r")) for key, tab, value in lines])


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
    if key == _COMMENT:
        return _KNOWN_COMMENT.fullmatch(value) is None
    return key in SENSITIVE


def _either(words: Collection[bytes]) -> bytes:
    """A pattern for any of these words that looks at each letter of a text once.

    >>> _either([b"AB", b"ACD", b"A"])
    b'A(?:CD|B|)'
    """
    rests: dict[bytes, list[bytes]] = {}
    for word in sorted(words, reverse=True):
        rests.setdefault(word[:1], []).append(word[1:])
    branches = [first + (_either(rest) if first else b"") for first, rest in rests.items()]
    return branches[0] if len(branches) == 1 else b"(?:" + b"|".join(branches) + b")"


# The lines by which a sender may be told: whole lines, since a report begins after a line feed.
_TELLING: Final = re.compile(
    rb"\n(" + _either(SENSITIVE | {_COMMENT, _PRODUCT}) + rb")\t([^\n]*)", re.IGNORECASE
)


def server_key(uid: bytes, pepper: bytes) -> bytes:
    """The keyed hash that stands for a server, 16 bytes; empty without a usable UID.

    The UID is base64(SHA1(port, MAC address)) and can be enumerated: hence the secret pepper.
    """
    uid = uid.strip(b"\0\r ")
    if not uid or len(uid) > UID_LIMIT or uid.lower() == b"unknown":
        return NO_IDENTITY
    return hmac.new(pepper, uid, hashlib.sha256).digest()[:KEY_SIZE]


def parse(body: bytes) -> dict[str, str]:
    """Keys in capitals and their values, from a clean body. Text that PostgreSQL can hold.

    Lines without a tab or a key, keys that are too long or not ASCII (other letters have capitals
    that are ASCII), and what goes beyond the limits of lines and values are left out.
    """
    text = body.replace(b"\0", b"").decode(errors="replace")
    values: dict[str, str] = {}
    for line in text.split("\n", LINE_LIMIT)[:LINE_LIMIT]:
        name, tab, value = line.partition("\t")
        if tab and 0 < len(name) <= KEY_LIMIT and name.isascii():
            values.setdefault(name.upper(), value.rstrip("\r")[:VALUE_LIMIT])
    return values
