"""`/metrics`: what Prometheus reads of this installation.

docs/operations.md says which alert rests on which of these and what to do then; a test compares
them with deploy/grafana and deploy/prometheus.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings
from django.db.models import Count, Min, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from redis import Redis

from feedback import partitions
from feedback.models import Incoming
from governance.models import Election
from portal import measured
from portal.health import PATIENCE, is_trusted, states
from portal.lib.models import OutboxMail
from portal.payments.models import ProviderEvent
from releases.actions.validity import valid_indices
from releases.models import Publication, Reading, SigningKey, Upload

QUEUES: Final = ["default", "publishing", "feedback", "mail"]


class Installation:
    """What is asked of rows and queues at each reading, beside the counters of processes."""

    def collect(self) -> Iterator[Metric]:
        now = timezone.now()
        yield _labelled("portal_part_ready", "1 while the part answers.", "part", _parts())
        yield _labelled(
            "portal_key_expires_timestamp_seconds", "When a signing key ends.", "key", _keys()
        )
        yield _labelled(
            "portal_index_valid_until_timestamp_seconds",
            "When apt begins to refuse an index.",
            "repository",
            {name: until.timestamp() for name, until in valid_indices()},
        )
        yield _labelled(
            "portal_repository_sound",
            "1 if the repository was sound when it was last read back as clients do.",
            "repository",
            {
                one.repository.name: float(one.is_sound)
                for one in Reading.objects.last_of_each().with_names()
            },
        )
        yield from _waiting(now)
        yield from _partitions(now)
        yield GaugeMetricFamily(
            "portal_mail_given_up",
            "Letters that no mail server took.",
            value=OutboxMail.objects.in_state("given_up").count(),
        )
        yield GaugeMetricFamily(
            "portal_payment_events_failed",
            "Events of the payment provider that failed and are tried again.",
            value=_failed_events(),
        )
        yield GaugeMetricFamily(
            "portal_publications_failed",
            "Repositories whose newest publication failed.",
            value=Publication.objects.failed_last(now).count(),
        )
        yield GaugeMetricFamily(
            "portal_elections_unsound",
            "Elections whose count was refused as unsound.",
            value=Election.objects.exclude(count_fault="").count(),
        )
        with Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE) as client:
            lengths = {queue: float(client.llen(queue)) for queue in QUEUES}
            yield _labelled("portal_queue_length", "Jobs that wait.", "queue", lengths)
            yield from measured.tasks(client)


def _labelled(name: str, text: str, label: str, values: dict[str, float]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=[label])
    for one, value in values.items():
        family.add_metric([one], value)
    return family


def _parts() -> dict[str, float]:
    return {state.name: float(state.ready) for state in states()}


def _keys() -> dict[str, float]:
    ending = SigningKey.objects.exclude(state="retired").exclude(expires_at=None)
    return {key.name: key.expires_at.timestamp() for key in ending if key.expires_at is not None}


def _failed_events() -> int:
    return ProviderEvent.objects.unhandled().filter(outcome="failed").count()


def _waiting(now: dt.datetime) -> Iterator[Metric]:
    """The queues that are rows: how many wait, and how long the first of them has."""
    rows: dict[str, tuple[QuerySet[Any], str]] = {
        "mail": (OutboxMail.objects.in_state("waiting"), "created_at"),
        "payment events": (ProviderEvent.objects.unhandled(), "received_at"),
        "publications": (Publication.objects.unfinished(), "queued_at"),
        "uploads": (Upload.objects.filter(state=Upload.State.RECEIVED), "finished_at"),
        "usage reports": (Incoming.objects.all(), "received_at"),
    }
    length = GaugeMetricFamily("portal_waiting", "Rows that wait to be worked on.", labels=["what"])
    oldest = GaugeMetricFamily(
        "portal_waiting_oldest_seconds",
        "For how long the first of them has waited.",
        labels=["what"],
    )
    for what, (found, since) in rows.items():
        told = found.order_by().aggregate(count=Count("*"), first=Min(since))
        length.add_metric([what], told["count"])
        first = told["first"]
        oldest.add_metric([what], max((now - first).total_seconds(), 0.0) if first else 0.0)
    yield length
    yield oldest


def _partitions(now: dt.datetime) -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "portal_feedback_partitions_missing",
        "Partitions of this month and the next that nobody has made.",
        value=float(len(partitions.missing(at=now))),
    )
    this_month = now.date().replace(day=1)
    ahead = {
        table: float(sum(month > this_month for month in partitions.months_of(table)))
        for table in partitions.TABLES
    }
    yield _labelled(
        "portal_feedback_partitions_ahead", "Months ahead that have a partition.", "table", ahead
    )


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text for staff, or for a scraper that sends METRICS_TOKEN as bearer token."""
    if not is_trusted(request):
        return HttpResponseForbidden(
            "Sign in as staff, or send 'Authorization: Bearer' with METRICS_TOKEN.\n",
            content_type="text/plain; charset=utf-8",
        )
    registry = CollectorRegistry()
    registry.register(Installation())
    text = generate_latest(_processes()) + generate_latest(registry)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _processes() -> CollectorRegistry:
    """The counters of all web processes of this machine, or of this one where it is alone."""
    if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
