"""The Celery application: queues of the portal's jobs.

Tasks carry ids only; the row is the queue, a periodic sweep repairs a lost message.
"""

import gc
import os
from typing import Any

from celery import Celery
from celery.signals import before_task_publish, task_postrun, task_prerun, worker_process_init

from portal.lib.logs import REQUEST_ID

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

FIELD = "request_id"  # among the headers of a task

app = Celery("portal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["portal"], related_name="measured")
app.autodiscover_tasks()
app.steps["worker"].add("portal.heartbeat:WorkerHeartbeat")  # /health/ready asks for it


@worker_process_init.connect
def settle(**_: Any) -> None:
    """What is loaded by now stays: the collector need not walk through it again and again."""
    gc.collect()
    gc.freeze()


@before_task_publish.connect
def send_along(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """A task carries the id of the request, or task, that asks for it."""
    if headers is not None and (number := REQUEST_ID.get()):
        headers[FIELD] = number


@task_prerun.connect
def take_up(task: Any = None, task_id: str = "", **_: Any) -> None:
    """A task that nobody's request asked for, of the schedule, has its own id."""
    REQUEST_ID.set(task.request.get(FIELD) or task_id.replace("-", ""))


@task_postrun.connect
def put_down(**_: Any) -> None:
    REQUEST_ID.set("")
