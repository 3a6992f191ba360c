"""Where samples of the views with parameters stand."""

from django.urls import reverse
from django.utils import timezone

from feedback.actions.deletion import ask_deletion
from feedback.models import ClaimedServer, Quarantined


def _own(name: str) -> str:
    return reverse(f"feedback:{name}", args=[ClaimedServer.objects.earliest("pk").pk])


def _deletion() -> str:
    return reverse("feedback:server_deletion", args=[ask_deletion(at=timezone.now())])


def _aside(name: str) -> str:
    return reverse(f"feedback:{name}", args=[Quarantined.objects.earliest("number").number])


SAMPLES = {
    "feedback:quarantine_detail": lambda: _aside("quarantine_detail"),
    "feedback:quarantine_read": lambda: _aside("quarantine_read"),
    "feedback:quarantine_delete": lambda: _aside("quarantine_delete"),
    "feedback:chart": lambda: "/statistics/charts/series/",
    "feedback:chart_svg": lambda: "/statistics/series.svg",
    "feedback:chart_json": lambda: "/statistics/series.json",
    "feedback:chart_csv": lambda: "/statistics/series.csv",
    "feedback:rest_chart": lambda: "/rest/v1/charts/server-count/",
    "feedback:server_deletion": _deletion,
    "feedback:own_server_json": lambda: _own("own_server_json"),
    "feedback:own_server_name": lambda: _own("own_server_name"),
    "feedback:own_server_release": lambda: _own("own_server_release"),
}
