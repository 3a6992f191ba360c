"""The peer: a Django view that stores a report as a row for each key, as the first backends did."""

from __future__ import annotations

import itertools
import os
import time

# ruff: noqa: E402 - Django must be set up before its parts are imported
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

import django

django.setup()

from django.core.handlers.wsgi import WSGIHandler
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test.utils import override_settings
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from feedback.parser import parse, payload

TABLE = "CREATE TABLE IF NOT EXISTS bench_key_value (upload bigint, key text, value text)"
INSERT = "INSERT INTO bench_key_value SELECT %s, * FROM unnest(%s::text[], %s::text[])"
numbers = itertools.count(time.time_ns())  # further ones than a process before it used


@csrf_exempt
def store(request: HttpRequest) -> HttpResponse:
    values = parse(payload(request.body))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(INSERT, [next(numbers), list(values), list(values.values())])
    return HttpResponse("<h1>ok</h1>")


with connection.cursor() as made:
    made.execute(TABLE)
urlpatterns = [path("rest/v1/post", store)]
override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[], ALLOWED_HOSTS=["*"]).enable()
application = WSGIHandler()
