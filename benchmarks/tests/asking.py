"""Uploads that are kept, and comparisons that are asked for and answered."""

import datetime as dt
import json
from typing import Any

from benchmarks import tasks
from benchmarks.actions.comparison import ask_comparison
from benchmarks.actions.upload import Said, upload_run
from benchmarks.models import Run
from benchmarks.selections import Selection
from portal.accounts.models import User

NOW = dt.datetime(2026, 11, 22, tzinfo=dt.UTC)


def upload(actor: User | None, content: dict[str, Any], **said: Any) -> Run:
    raw = json.dumps(content).encode()
    return upload_run(actor=actor, raw=raw, said=Said(**said), at=NOW).run


def compared(a: Selection, b: Selection) -> list[dict[str, Any]]:
    asked = ask_comparison(a=a, b=b)
    tasks.compute_due()
    asked.refresh_from_db()
    assert asked.computed_at is not None
    return list(asked.rows)
