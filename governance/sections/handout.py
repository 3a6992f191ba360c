"""What goes into a bundle: the records and their list, the key, and how to check it with what."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings

import governance
from governance.bundle import chain
from governance.models import Record
from releases.models import SigningKey

HOME = Path(governance.__file__).parent
SHIPPED = [
    *("__init__.py", "bundle/*.py", "tally/**/*.py"),
    *("bylaws/__init__.py", "bylaws/flow.py", "bylaws/text.py", "bylaws/typo.py"),
    *("meetings/__init__.py", "meetings/document.py", "meetings/lines.py", "meetings/reading/*.py"),
    *("meetings/sealing.py", "meetings/writing.py"),
]
PROGRAM = "bundle/check_bundle.py"
README = """\
What the bodies of the foundation decided, as it was decided.

records/           one file for everything that was decided; a later edition of a record tells
                   what came after, and has its number in the name
    motions/       by vote, in writing or by consensus: text, who could vote, every vote or
                   signature or word, the result
    rules/         each version of rules that something was decided by
    bylaws/        each version of bylaws, with the motion that adopted it
    typos/         corrections of spelling in them: from one hash to the next
    minutes/       approved minutes, without what was said in closed sessions; who was there,
                   the motion that approved them, the consents that are filed with them
manifest.json      the list of all records with their SHA-256, only ever added to, and its head
manifest.json.asc  the signature of the list
key.asc            the key that made it: compare its fingerprint with the one on the site
checker/           verifies all this, counts every vote again, makes every correction again:

    pip install cryptography
    python3 checker/check_bundle.py --key FINGERPRINT .

GnuPG reads the signature too, and says nothing of the records:

    gpg --import key.asc
    gpg --verify manifest.json.asc manifest.json

Take the checker from a place you trust if you doubt who gave you this bundle. With --older and a
bundle that you kept it also tells whether anything of that was changed or taken away. The SHA-256
of minutes is that of their published text, where a hash stands for what was said in each closed
session; with --minutes and the whole text, which the body keeps, that is proved as well.
"""


def unsigned(
    records: list[Record], beside: dict[str, bytes], at: datetime
) -> tuple[dict[str, bytes], bytes]:
    """All files but the list and its signature; and the list."""
    rows = list(_rows(records))
    manifest = _about(beside) | {
        "date": at.isoformat(),
        "size": len(records),
        "head": records[-1].head,
        "records": rows,
    }
    withheld = {row["path"] for row in rows if row.get("withheld")}
    told = {r.path: r.body.encode() for r in records if r.path not in withheld}
    return beside | told, chain.canonical(manifest)


def digest(beside: dict[str, bytes]) -> str:
    """Of all that a list says of no record: with the head of the records it stands for the list."""
    return chain.digest(chain.canonical(_about(beside)))


def _about(beside: dict[str, bytes]) -> dict[str, Any]:
    return {
        "kind": "decisions",
        "format": 1,
        "foundation": settings.FOUNDATION_NAME,
        "address": settings.BASE_URL,
        "files": [
            {"path": path, "sha256": chain.digest(data)} for path, data in sorted(beside.items())
        ],
    }


def beside(key: SigningKey) -> dict[str, bytes]:
    """What lies beside the records."""
    paths = sorted(path for pattern in SHIPPED for path in HOME.glob(pattern))
    shipped = {
        f"checker/governance/{path.relative_to(HOME).as_posix()}": path.read_bytes()
        for path in paths
    }
    shipped["checker/check_bundle.py"] = (HOME / PROGRAM).read_bytes()
    return shipped | {"README.txt": README.encode(), "key.asc": key.armored.encode()}


def _rows(records: list[Record]) -> Iterator[dict[str, Any]]:
    """The list. An edition from before a passage was taken out is left out, its digest stays."""
    later = {record.name: record for record in records if record.edition > 1}
    taken_out = {name: _redactions(record) for name, record in later.items()}
    for record in records:
        row: dict[str, Any] = {
            "number": record.number,
            "name": record.name,
            "path": record.path,
            "sha256": record.sha256,
        }
        if taken_out.get(record.name, 0) > _redactions(record):
            row["withheld"] = True
        yield row


def _redactions(record: Record) -> int:
    return len(json.loads(record.body).get("redactions", []))
