"""A receiver that reads reports as ours does, and answers without storing them: the ceiling."""

from __future__ import annotations

import asyncio
import os

from feedback import inbox
from feedback.receiver.__main__ import serve
from feedback.receiver.store import Kept, Store, Told
from portal.processes import resolved


class NoStore(Store):
    """Says at once that all is stored."""

    def keep(self, row: inbox.Row, told: Told, *, only_if_known: bool = False) -> None:
        told(Kept.STORED)


if __name__ == "__main__":
    asyncio.run(serve(resolved(os.environ), NoStore))
