"""The way into the inbox: what a row holds and how rows are copied. Pure; no Django.

The receiver, the upload form and the generated fleet of a demonstration all come through here.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import secrets
from dataclasses import dataclass
from typing import Final

from feedback.packing import digest, pack
from feedback.parser import Clean, clean

COPY: Final = (
    "COPY feedback_incoming"
    " (server_key, received_at, kind, body, digest, deletion_digest, country,"
    " word_digest)"
    " FROM STDIN (FORMAT BINARY)"
)
TYPES: Final = ("bytea", "timestamptz", "varchar", "bytea", "bytea", "bytea", "varchar", "bytea")
KNOWN: Final = (
    "SELECT key FROM unnest(%s::bytea[]) AS key"
    " WHERE EXISTS (SELECT FROM feedback_serverweek WHERE server_key = key)"
)
COUNT: Final = (
    "INSERT INTO feedback_intake (day, outcome, reports) VALUES (%s, %s, %s)"
    " ON CONFLICT (day, outcome) DO UPDATE"
    " SET reports = feedback_intake.reports + excluded.reports"
)
_CODE_BYTES: Final = 15


@dataclass(frozen=True, slots=True)
class Row:
    """A report as it enters the inbox."""

    server_key: bytes
    received_at: dt.datetime
    kind: str
    body: bytes
    digest: bytes
    deletion_digest: bytes | None = None
    country: str = ""
    word_digest: bytes | None = None

    def values(self) -> tuple[object, ...]:
        """In the order of COPY."""
        return (
            self.server_key,
            self.received_at,
            self.kind,
            self.body,
            self.digest,
            self.deletion_digest,
            self.country,
            self.word_digest,
        )


def row(
    body: bytes, *, pepper: bytes, received_at: dt.datetime, deletion_code: str | None = None
) -> Row:
    """What is kept of a posted body."""
    return row_of(clean(body, pepper), received_at=received_at, deletion_code=deletion_code)


def row_of(
    report: Clean,
    *,
    received_at: dt.datetime,
    deletion_code: str | None = None,
    country: str = "",
) -> Row:
    """The row of a report that was cleaned already."""
    return Row(
        server_key=report.server_key,
        received_at=received_at,
        kind=report.kind.value,
        body=pack(report.body),
        digest=digest(report.body),
        deletion_digest=deletion_digest(deletion_code) if deletion_code else None,
        country=country,
        word_digest=word_digest(report.code) if report.code else None,
    )


def new_code() -> str:
    """A code for whoever gets to know it: 24 letters and digits in groups of six."""
    text = base64.b32encode(secrets.token_bytes(_CODE_BYTES)).decode()
    return "-".join(text[at : at + 6] for at in range(0, len(text), 6))


def word_digest(word: str) -> bytes:
    """What is stored of `claim:<code>` or `delete:<code>`; case and dashes do not matter.

    The word is digested whole, so that a code for the one is no code for the other.
    """
    verb, _, code = word.lower().partition(":")
    return deletion_digest(f"{verb}{code}")


def deletion_digest(code: str) -> bytes:
    """What is stored of a deletion code; case, spaces and dashes do not matter."""
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    return hashlib.sha256(plain.encode()).digest()
