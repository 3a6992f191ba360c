"""Signs of life of the processes that nobody can call: worker and beat write them to Redis.

The worker tells of the signer too: web, which strangers reach, has no way to the signer's socket.
"""

from __future__ import annotations

import logging
from typing import Any

from celery import bootsteps
from celery.beat import PersistentScheduler
from django.conf import settings
from redis import Redis

from releases.signing import SignerUnavailableError, SocketSigner

logger = logging.getLogger(__name__)

EVERY = 5.0  # seconds
SHORT = 1.0  # seconds in which the signer answers whether it is there
LIFETIME = 20  # a sign older than this is gone from Redis


def give(name: str) -> None:
    """Say that the process `name` lives."""
    with _redis() as client:
        client.set(_key(name), "alive", ex=LIFETIME)


def seen(name: str) -> bool:
    """Whether at least one process of this name gave a sign lately."""
    with _redis() as client:
        return bool(client.exists(_key(name)))


def tell_of_signer() -> None:
    """Ask the signer, and give the sign in its place."""
    try:
        SocketSigner(settings.SIGNER_SOCKET, SHORT).ping()
    except SignerUnavailableError as error:
        logger.warning("%s", error)
    else:
        give("signer")


def _redis() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)


def _key(name: str) -> str:
    return f"heartbeat:{name}"


class WorkerHeartbeat(bootsteps.StartStopStep):
    """The worker's own event loop gives the sign, so a stuck worker gives none."""

    requires = ("celery.worker.components:Timer",)

    def start(self, worker: Any) -> None:
        give("worker")
        tell_of_signer()
        self.timers = [
            worker.timer.call_repeatedly(EVERY, give, ("worker",), priority=10),
            worker.timer.call_repeatedly(EVERY, tell_of_signer, priority=10),
        ]

    def stop(self, worker: Any) -> None:
        for timer in self.timers:
            timer.cancel()


class Scheduler(PersistentScheduler):
    """Celery's scheduler, giving a sign at each turn of its loop."""

    def tick(self, *args: Any, **options: Any) -> float:
        give("beat")
        return min(super().tick(*args, **options), EVERY)
