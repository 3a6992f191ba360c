"""What processes count while they work: requests by kind of page, tasks by name.

The workers of one web process share files (PROMETHEUS_MULTIPROC_DIR, made by portal/web.py), so
that whichever is asked tells of all. Workers of jobs have no port of their own: they add to numbers
in Redis, which any web process tells.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

from celery.signals import task_postrun, task_prerun
from django.conf import settings
from prometheus_client import Histogram
from prometheus_client.core import CounterMetricFamily, Metric
from redis import Redis, RedisError

TASKS: Final = "measured:tasks"  # a hash: "<task> <state>" and "<task> seconds"
SECONDS: Final = "seconds"
BUCKETS: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)

REQUESTS: Final = Histogram(
    "portal_request_seconds",
    "How long answers took to make, by kind of page and hundred of the status.",
    ["view", "status"],
    buckets=BUCKETS,
)


def count_request(view: str, status: int, seconds: float) -> None:
    REQUESTS.labels(view, f"{status // 100}xx").observe(seconds)


@task_prerun.connect
def begin_task(task: Any = None, **_: Any) -> None:
    task.request.began = time.perf_counter()


@task_postrun.connect
def count_task(task: Any = None, state: str = "", **_: Any) -> None:
    """A worker whose numbers are lost goes on working."""
    began = getattr(task.request, "began", None)
    if began is None:
        return
    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=1).pipeline() as numbers:
            numbers.hincrby(TASKS, f"{task.name} {state.lower() or 'unknown'}", 1)
            numbers.hincrbyfloat(TASKS, f"{task.name} {SECONDS}", time.perf_counter() - began)
            numbers.execute()
    except RedisError:
        return


def tasks(client: Redis) -> Iterator[Metric]:
    """What all workers did since Redis was empty."""
    done = CounterMetricFamily("portal_tasks", "Tasks that ended.", labels=["task", "state"])
    spent = CounterMetricFamily("portal_task_seconds", "Time spent in tasks.", labels=["task"])
    found: Any = client.hgetall(TASKS)
    for raw, value in sorted(found.items()):
        name, _, state = raw.decode().rpartition(" ")
        if state == SECONDS:
            spent.add_metric([name], float(value))
        else:
            done.add_metric([name, state], float(value))
    yield done
    yield spent
