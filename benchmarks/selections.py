"""Which results are meant: ``run``, ``run:subject`` or ``run:subject:position``, as in addresses.

Pure: text and dataclasses only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

_FORM = re.compile(r"([0-9a-f-]{36})(?::([a-z0-9][a-z0-9_.-]{0,79})(?::(\d{1,4}))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Selection:
    uid: UUID
    subject: str = ""
    position: int | None = None

    def __str__(self) -> str:
        place = "" if self.position is None else f":{self.position}"
        return f"{self.uid}:{self.subject}{place}" if self.subject else str(self.uid)

    def filters(self) -> dict[str, object]:
        """Field lookups on results."""
        found: dict[str, object] = {"run__uid": self.uid}
        if self.subject:
            found["subject_slug"] = self.subject
        if self.position is not None:
            found["position"] = self.position
        return found


def parse(text: str) -> Selection | None:
    """The selection that an address names; None when the text is not one."""
    match = _FORM.fullmatch(text.strip().lower())
    if match is None:
        return None
    try:
        uid = UUID(match[1])
    except ValueError:
        return None
    return Selection(uid, match[2] or "", int(match[3]) if match[3] else None)
