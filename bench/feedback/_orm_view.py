"""The peer: a Django view that stores each report with one ORM insert and commit."""

from __future__ import annotations

import itertools
import os
import time

# ruff: noqa: E402 - Django must be set up before its parts are imported
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

import django

django.setup()

from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse
from django.test.utils import override_settings
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from feedback.models import Quarantined
from feedback.packing import digest

numbers = itertools.count(time.time_ns())  # further ones than a process before it used


@csrf_exempt
def store(request: HttpRequest) -> HttpResponse:
    Quarantined.objects.create(  # a table of raw bodies, as good as any other
        server_key=digest(request.body[:400]),
        number=next(numbers),
        received_at=timezone.now(),
        body=request.body,
    )
    return HttpResponse("<h1>ok</h1>")


urlpatterns = [path("rest/v1/post", store)]
override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[], ALLOWED_HOSTS=["*"]).enable()
application = WSGIHandler()
