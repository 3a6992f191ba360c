"""The servers of one's own: claimed by a word that they send, seen by nobody else."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from feedback.actions.claim import make_claim_code, name_server, release_server
from feedback.forms import NameForm
from feedback.models import ClaimCode, ClaimedServer
from feedback.own_servers import (
    HEAD,
    SILENT_AFTER,
    WEEKS,
    OwnServer,
    everything_kept,
    overview,
    own_servers,
    rows,
)
from portal.accounts.access import signed_in
from portal.lib import spreadsheet

PAGE_SIZE = 50


@login_required
@require_safe
def own_server_list(request: HttpRequest) -> HttpResponse:
    user, now = signed_in(request), timezone.now()
    mine = ClaimedServer.objects.of(user).order_by("name", "claimed_at", "pk")
    servers = own_servers(list(mine), at=now)
    asked = request.GET.get("show", "")
    page = Paginator(_asked_for(asked, servers), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "servers": list(page),
        "asked": asked,
        "all": overview(servers),
        "weeks": WEEKS,
        "silent_after": SILENT_AFTER.days,
        "code": ClaimCode.objects.filter(user=user).first(),
    }
    return render(request, "feedback/own_server_list.html", context)


def _asked_for(show: str, servers: list[OwnServer]) -> list[OwnServer]:
    """`ended`, `silent`, `started`, or a series; all of them when nothing is asked for."""
    tests: dict[str, Callable[[OwnServer], bool]] = {
        "ended": lambda server: server.ended,
        "silent": lambda server: server.silent,
        "started": lambda server: server.weeks_with_start > 0,
    }
    if show in tests:
        return [server for server in servers if tests[show](server)]
    return [server for server in servers if server.series == show] if show else servers


@login_required
@require_safe
def own_servers_csv(request: HttpRequest) -> HttpResponse:
    mine = ClaimedServer.objects.of(signed_in(request)).order_by("name", "claimed_at", "pk")
    text = spreadsheet.lines([HEAD, *rows(own_servers(list(mine), at=timezone.now()))])
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="my-servers.csv"'
    return response


@login_required
@require_POST
def own_server_code(request: HttpRequest) -> HttpResponse:
    make_claim_code(actor=signed_in(request), at=timezone.now())
    messages.success(request, _("Servers that send this code from now on join your list."))
    return redirect("feedback:own_servers")


@login_required
@require_safe
def own_server_json(request: HttpRequest, pk: int) -> HttpResponse:
    """All that is kept of a server."""
    server = get_object_or_404(ClaimedServer.objects.of(signed_in(request)), pk=pk)
    response = JsonResponse(everything_kept(server))
    response["Content-Disposition"] = f'attachment; filename="server-{server.short_key}.json"'
    return response


@login_required
@require_POST
def own_server_name(request: HttpRequest, pk: int) -> HttpResponse:
    user = signed_in(request)
    server = get_object_or_404(ClaimedServer.objects.of(user), pk=pk)
    form = NameForm(request.POST)
    if form.is_valid():
        name_server(actor=user, server=server, name=form.cleaned_data["name"])
        messages.success(request, _("The name is saved."))
    else:
        messages.error(request, _("A name has at most 80 letters. Nothing was changed."))
    return redirect("feedback:own_servers")


@login_required
@require_POST
def own_server_release(request: HttpRequest, pk: int) -> HttpResponse:
    user = signed_in(request)
    server = get_object_or_404(ClaimedServer.objects.of(user), pk=pk)
    release_server(actor=user, server=server)
    messages.success(
        request, _("The server is off your list. Take the code out of its configuration as well.")
    )
    return redirect("feedback:own_servers")
