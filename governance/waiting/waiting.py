"""One thing that waits for a person: what it is about, what is asked, until when, and where."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from governance.models import Motion


@dataclass(frozen=True, slots=True)
class Waiting:
    act: str  # what the button says
    title: str
    url: str
    until: datetime | None = None
    place: str = ""  # the body
    note: str = ""

    @classmethod
    def on(
        cls,
        motion: Motion,
        act: str,
        *,
        at: str = "",
        until: datetime | None = None,
        note: str = "",
    ) -> Waiting:
        """About a motion; `at` is what follows its address."""
        url = f"{motion.get_absolute_url()}{at}"
        return cls(act, motion.title, url, until, motion.body.name, note)
