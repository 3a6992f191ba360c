"""The Celery application: queues of the portal's jobs.

Tasks carry ids only; the row is the queue, a periodic sweep repairs a lost message.
"""

import gc
import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

app = Celery("portal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add("portal.heartbeat:WorkerHeartbeat")  # /health/ready asks for it


@worker_process_init.connect
def settle(**_: Any) -> None:
    """What is loaded by now stays: the collector need not walk through it again and again."""
    gc.collect()
    gc.freeze()
