"""The staff's list of organisations, and a page for each."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.lib import spreadsheet
from portal.members.actions.logo import take_down_logo
from portal.members.correspondence import letters_of
from portal.members.forms.register import RegisterFilterForm, TakeDownForm
from portal.members.models import Cancellation, Organisation
from portal.members.register import STANDS, history, register, rows, stand_of

PAGE_SIZE = 50
NEWEST = 50  # of the history


@role_required(Role.STAFF)
@require_safe
@never_cache
def register_list(request: HttpRequest) -> HttpResponse:
    form = RegisterFilterForm(request.GET or None)
    now = timezone.now()
    found = form.narrowed(register(now), now)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "rows": [(one, stand_of(one, now).value, STANDS[stand_of(one, now)]) for one in page],
        "query": request.GET.urlencode(),
        "total": Organisation.objects.count(),
    }
    return render(request, "members/register.html", context)


@role_required(Role.STAFF)
@require_safe
def register_csv(request: HttpRequest) -> StreamingHttpResponse:
    now = timezone.now()
    found = RegisterFilterForm(request.GET or None).narrowed(register(now), now)
    lines = spreadsheet.lines(rows(found, now))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="organisations.csv"'
    response["Cache-Control"] = "private, no-store"
    return response


@role_required(Role.STAFF)
@require_safe
@never_cache
def register_detail(request: HttpRequest, slug: str) -> HttpResponse:
    now = timezone.now()
    organisation = get_object_or_404(register(now).select_related("logo"), slug=slug)
    terms = organisation.terms.prefetch_related("order")
    context = {
        "organisation": organisation,
        "stand": stand_of(organisation, now).value,
        "stand_words": STANDS[stand_of(organisation, now)],
        "terms": [(term, term.entitlements.with_used()) for term in terms],
        "contacts": organisation.contacts.select_related("user"),
        "cancellations": Cancellation.objects.of(organisation).select_related(
            "term", "cancelled_by", "undone_by"
        ),
        "changes": organisation.logo_changes.select_related("logo", "changed_by"),
        "letters": letters_of(organisation).defer("text", "html")[:NEWEST],
        "history": history(organisation)[:NEWEST],
        "now": now,
    }
    return render(request, "members/register_detail.html", context)


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def logo_down(request: HttpRequest, slug: str) -> HttpResponse:
    """Asks for the reason, and shows what it is about."""
    shown = Organisation.objects.filter(logo__isnull=False).select_related("logo")
    organisation = get_object_or_404(shown, slug=slug)
    form = TakeDownForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        take_down_logo(
            actor=signed_in(request),
            organisation=organisation,
            reason=form.cleaned_data["reason"],
        )
        messages.success(request, _("Taken down. The organisation gets a letter with the reason."))
        return redirect("members:register_detail", slug)
    context = {"organisation": organisation, "form": form}
    return render(request, "members/logo_down.html", context)
