"""The peer of bench/feedback.py: a Django view that stores each report with one ORM insert."""

from __future__ import annotations

import os

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

from feedback.models import Report
from feedback.packing import digest


@csrf_exempt
def store(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    Report.objects.create(
        server_key=digest(request.body[:400]),
        week=now.date(),
        digest=digest(request.body),
        received_at=now,
        body=request.body,
    )
    return HttpResponse("<h1>ok</h1>")


urlpatterns = [path("rest/v1/post", store)]
override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[], ALLOWED_HOSTS=["*"]).enable()
application = WSGIHandler()
