"""The portal with registrar and ballot box at hand, and a clock that tests put forward."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest

from governance import clock
from governance.box.office import Office as BoxOffice
from governance.elections import offices as this_site
from governance.registrar.office import Office as RegistrarOffice
from governance.tests import elections as made
from governance.tests import offices

CONTESTS = ("2026-board/contributors", "2026-board/members")


@dataclass
class Site:
    registrar: RegistrarOffice
    box: BoxOffice
    time: offices.Clock
    monkeypatch: pytest.MonkeyPatch

    def at(self, moment: datetime) -> None:
        self.time.now = moment
        self.monkeypatch.setattr(clock, "now", lambda at=None: at or moment)


@contextmanager
def opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """With both offices in this process, as nominations end."""
    time = offices.Clock(now=made.NOMINATIONS_END)
    offices.keep_registrar_keys(folder, CONTESTS)
    with (
        offices.registrar(folder, time) as registrar,
        offices.ballot_box(folder, time) as box,
    ):
        monkeypatch.setattr(this_site, "registrar", lambda: registrar)
        monkeypatch.setattr(this_site, "ballot_box", lambda: box)
        yield Site(registrar, box, time, monkeypatch)
