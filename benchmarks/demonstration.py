"""The ready suites, the published figures, runs that were really measured, and two invented ones.

`measured/README.md` says how the measured ones came about; the invented ones say so everywhere.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from benchmarks import invented
from benchmarks.actions.publish import keep_published
from benchmarks.actions.suite import define_suite
from benchmarks.actions.upload import Said, upload_run
from benchmarks.published import published
from benchmarks.suites import ready_suites
from portal.accounts import demonstration as people
from portal.accounts.models import User

MEASURED: Final = Path(__file__).parent / "measured"
CLIENT_MACHINE: Final = {
    "cpu": {"model": "AMD EPYC", "arch": "x86_64", "threads": 2},
    "os": {"name": "Debian GNU/Linux", "version": "12"},
    "server": {"product": "mariadb", "version": "10.11.19-MariaDB", "same_host": True},
}
RUNS: Final = {
    "mariadb_client.json": Said(
        title="mariadb client, Unix socket against TCP", environment=CLIENT_MACHINE
    ),
    "drivers_do_1_select_1.json": Said(
        title="Five drivers, DO 1 and SELECT 1", suite="fast_queries"
    ),
    **{f"connectors/{path.name}": Said() for path in sorted((MEASURED / "connectors").iterdir())},
}
INVENTED_BY: Final = (people.DANA, people.CHARLIE)


def load(*, actor: User, at: datetime) -> None:
    """Suites, published figures and runs; a second time changes nothing."""
    for definition in ready_suites().values():
        define_suite(actor=actor, definition=definition)
    for figures in published():
        keep_published(actor=actor, figures=figures, at=at)
    for name, said in RUNS.items():
        upload_run(actor=actor, raw=(MEASURED / name).read_bytes(), said=said, at=at)
    for person, raw in zip(INVENTED_BY, invented.runs(), strict=True):
        upload_run(actor=people.person(person), raw=raw, said=Said(), at=at)
