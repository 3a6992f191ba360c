"""Learning from reports how to store the next ones in little room."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db import transaction

from feedback import shelf
from feedback.models import Dictionary, Report
from feedback.packing import Packer, train

SAMPLE: Final = 1_000  # of the newest reports, half to learn from and half to try it on
LEAST: Final = 200
WORTH: Final = 0.95  # of the bytes that the dictionary in use takes


@transaction.atomic
def train_dictionary(*, at: dt.datetime) -> Dictionary | None:
    """Make a dictionary, and use it from now on where it saves a twentieth; None where not.

    Reports that are stored keep the one that they were stored with.
    """
    newest = Report.objects.full().order_by("-received_at")[:SAMPLE]
    bodies = [tuple(values.values()) for _, values in shelf.take(newest)]
    if len(bodies) < LEAST:
        return None
    content = train(bodies[::2])
    known = Dictionary.objects.order_by("-pk").first()
    tried, rest = Packer(content), Packer(bytes(known.content) if known else b"")
    sizes = [sum(len(packer.pack(body)) for body in bodies[1::2]) for packer in (tried, rest)]
    if sizes[0] > WORTH * sizes[1]:
        return None
    return Dictionary.objects.create(content=content, trained_at=at, reports=len(bodies))
