"""The Celery application: queues of the portal's jobs.

Tasks carry ids only; the row is the queue, a periodic sweep repairs a lost message.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

app = Celery("portal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add("portal.heartbeat:WorkerHeartbeat")  # /health/ready asks for it
