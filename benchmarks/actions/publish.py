"""Keeping figures that were published elsewhere, as reference points with their source."""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict
from datetime import datetime
from hashlib import sha256

from benchmarks.actions.run import Kept, Sender, keep_run
from benchmarks.actions.upload import NAMESPACE, suite_of
from benchmarks.models import Trust
from benchmarks.published import Published
from portal.accounts.models import User


def keep_published(*, actor: User | None, figures: Published, at: datetime) -> Kept:
    """One run for the figures of one source; the same figures again change nothing."""
    kept = json.dumps(
        {"source": figures.source, "results": [asdict(one) for one in figures.document.results]},
        ensure_ascii=False,
        indent=1,
    ).encode()
    return keep_run(
        sender=Sender(actor, Trust.PUBLISHED),
        uid=uuid.uuid5(NAMESPACE, f"published:{figures.suite}:{figures.source}"),
        suite=suite_of(figures.suite),
        document=figures.document,
        original=kept,
        sha256=sha256(kept).hexdigest(),
        at=at,
        source=figures.source,
    )
