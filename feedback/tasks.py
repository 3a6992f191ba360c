"""Jobs of this app. The inbox and the periods are the queues; a lost message changes nothing."""

from __future__ import annotations

import time
from typing import Final

from celery import shared_task
from django.utils import timezone

from feedback.actions.dictionary import train_dictionary
from feedback.actions.doubt import end_doubts
from feedback.actions.drain import drain_inbox
from feedback.actions.partition import drop_partitions, make_partitions
from feedback.actions.retention import forget_old
from feedback.actions.rollup import roll_up_stale

LONGEST: Final = 300.0  # seconds; the next sweep goes on


@shared_task
def drain() -> None:
    """Read what came in, batch after batch."""
    end = time.monotonic() + LONGEST
    while drain_inbox() and time.monotonic() < end:
        pass


@shared_task
def roll_up() -> None:
    """Count the weeks and months whose facts changed, or are believed since."""
    now = timezone.now()
    end_doubts(at=now)
    roll_up_stale(at=now)


@shared_task
def forget() -> None:
    """Keep the promises about how long things are kept."""
    forget_old(at=timezone.now())


@shared_task
def tend_partitions() -> None:
    """Make the partitions of the months to come, and drop those whose time is over."""
    make_partitions(at=timezone.now())
    drop_partitions(at=timezone.now())


@shared_task
def learn() -> None:
    """Learn from the newest reports how to store the next ones in less room."""
    train_dictionary(at=timezone.now())
