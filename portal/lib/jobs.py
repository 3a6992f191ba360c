"""Telling the worker that there is work. Nothing is lost when it cannot be told: it sweeps."""

import logging
from functools import partial
from typing import Any

from celery import Task
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def after_commit(task: Task[..., Any], row_id: int) -> None:
    """Send `task` with the id of its row once the transaction is through."""
    transaction.on_commit(partial(_send, task, row_id))


def _send(task: Task[..., Any], row_id: int) -> None:
    try:
        task.delay(row_id)
    except OperationalError:
        logger.warning("%s %s waits for the sweep: no message broker", task.name, row_id)
