from django.utils import timezone

from feedback.actions.claim import claim_server, make_claim_code
from feedback.actions.deletion import ask_deletion
from feedback.models import Quarantined
from feedback.tests.fleets import arrive, fleet
from tests.permissions import EVERYBODY, NOBODY, SIGNED_IN, STAFF, Cast, Page, Place


def chart(ending: str) -> Page:
    return Page(EVERYBODY, sample=lambda cast: f"/statistics/series.{ending}")


def counted(cast: Cast) -> None:
    """Servers enough that a chart can be drawn."""
    arrive(*fleet(12))


def rest_chart(cast: Cast) -> str:
    return "/rest/v1/charts/server-count/"


def deletion(cast: Cast) -> str:
    return f"/privacy/server/{ask_deletion(at=timezone.now())}/"


def claimed(cast: Cast) -> int:
    """A server of Charlie's; to everybody else it is not there."""
    now = timezone.now()
    code = make_claim_code(actor=cast["charlie"], at=now)
    server = claim_server(digest=bytes(code.digest), server_key=b"k" * 16, at=now)
    assert server is not None
    return server.pk


def own(path: str) -> Place:
    return Place(claimed, lambda pk: f"/statistics/servers/{pk}{path}")


def unread(cast: Cast) -> int:
    """A report that was set aside."""
    values = {"received_at": timezone.now(), "reason": "ValueError", "body": b""}
    Quarantined.objects.update_or_create(server_key=b"k" * 16, number=1, defaults=values)
    return 1


def aside(path: str) -> Place:
    return Place(unread, lambda number: f"/staff/feedback/quarantine/{number}/{path}")


PAGES = {
    "feedback:quarantine": Page(STAFF),
    "feedback:quarantine_read_all": Page(STAFF, method="POST"),
    "feedback:quarantine_detail": Page(STAFF, sample=aside("")),
    "feedback:quarantine_read": Page(STAFF, sample=aside("read/"), method="POST"),
    "feedback:quarantine_delete": Page(STAFF, sample=aside("delete/"), method="POST"),
    "feedback:known_keys": Page(STAFF),
    "feedback:known_keys_csv": Page(STAFF),
    "feedback:known_keys_decide": Page(STAFF, method="POST"),
    "feedback:statistics": Page(EVERYBODY),
    "feedback:report_status": Page(EVERYBODY),
    "feedback:preview": Page(EVERYBODY, method="POST"),
    "feedback:keep": Page(EVERYBODY, method="POST"),
    "feedback:chart": Page(EVERYBODY, sample=lambda cast: "/statistics/charts/series/"),
    "feedback:chart_json": chart("json"),
    "feedback:chart_csv": chart("csv"),
    "feedback:chart_svg": Page(
        EVERYBODY, sample=Place(counted, lambda made: "/statistics/series.svg")
    ),
    "feedback:privacy": Page(EVERYBODY),
    "feedback:server_delete": Page(EVERYBODY),
    "feedback:server_deletion": Page(EVERYBODY, sample=deletion),
    "feedback:own_servers": Page(SIGNED_IN),
    "feedback:own_servers_csv": Page(SIGNED_IN),
    "feedback:own_server_code": Page(SIGNED_IN, method="POST"),
    "feedback:own_server_json": Page({"charlie"}, sample=own(".json")),
    "feedback:own_server_name": Page({"charlie"}, sample=own("/name/"), method="POST"),
    "feedback:own_server_release": Page({"charlie"}, sample=own("/release/"), method="POST"),
    "feedback:rest_chart": Page(EVERYBODY, sample=rest_chart),
    "api:feedback_reports": Page(NOBODY, method="POST"),
    "api:feedback_backfill": Page(NOBODY, method="POST"),
    "feedback:post": Page(EVERYBODY),
    "feedback:post_slash": Page(EVERYBODY),
    "feedback:plugin_post": Page(EVERYBODY),
    "feedback:plugin_post_slash": Page(EVERYBODY),
}
