"""The audit log, for staff."""

from collections.abc import Iterator

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from portal.accounts.access import role_required
from portal.accounts.forms import AuditFilter
from portal.accounts.roles import Role
from portal.lib import spreadsheet
from portal.lib.models import AuditEntry

PAGE_SIZE = 50
COLUMNS = ["at", "actor", "verb", "subject_kind", "subject_id", "subject", "detail"]


@role_required(Role.STAFF)
@require_safe
def audit_list(request: HttpRequest) -> HttpResponse:
    form = AuditFilter(request.GET or None)
    entries = form.narrowed(AuditEntry.objects.select_related("actor"))
    page = Paginator(entries, PAGE_SIZE).get_page(request.GET.get("page"))
    return render(request, "accounts/audit_list.html", {"form": form, "page": page})


@role_required(Role.STAFF)
@require_safe
def audit_csv(request: HttpRequest) -> HttpResponseBase:
    """The same entries as a table for a spreadsheet, however many."""
    entries = AuditFilter(request.GET or None).narrowed(AuditEntry.objects.select_related("actor"))

    def rows() -> Iterator[list[object]]:
        yield list(COLUMNS)
        for entry in entries.iterator(chunk_size=1000):
            actor = entry.actor.email if entry.actor else ""
            subject = [entry.subject_kind, entry.subject_id, entry.subject_name]
            yield [entry.at.isoformat(), actor, entry.verb, *subject, entry.detail]

    response = StreamingHttpResponse(
        spreadsheet.lines(rows()), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = 'attachment; filename="audit.csv"'
    return response
