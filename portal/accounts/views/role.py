"""The staff's page of roles: who holds what, giving and ending it."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import (
    has_second_factor,
    recently_authenticated,
    role_required,
    signed_in,
)
from portal.accounts.actions.role import end_grant, grant_role
from portal.accounts.forms import GrantFilter, GrantForm
from portal.accounts.models import RoleGrant
from portal.accounts.roles import Role

PAGE_SIZE = 50


@role_required(Role.STAFF)
@require_safe
def grant_list(request: HttpRequest) -> HttpResponse:
    """Grants that are not over, first; the past on request."""
    now = timezone.now()
    form = GrantFilter(request.GET or None)
    grants = form.narrowed(RoleGrant.objects.select_related("user"), at=now)
    page = Paginator(grants, PAGE_SIZE).get_page(request.GET.get("page"))
    return render(request, "accounts/grant_list.html", {"form": form, "page": page, "now": now})


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@recently_authenticated
def grant_add(request: HttpRequest) -> HttpResponse:
    form = GrantForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        grant = grant_role(actor=signed_in(request), **form.wanted())
        said = _("%(person)s is %(role)s now.") % {"person": grant.user, "role": grant}
        if not has_second_factor(grant.user):
            said = f"{said} {_('At the next page they are asked for a second factor.')}"
        messages.success(request, said)
        return redirect("accounts:grants")
    return render(request, "accounts/grant_add.html", {"form": form})


@role_required(Role.STAFF)
@require_POST
@recently_authenticated
def grant_end(request: HttpRequest, pk: int) -> HttpResponse:
    grant = get_object_or_404(RoleGrant, pk=pk)
    if end_grant(actor=signed_in(request), grant=grant):
        messages.success(request, _("The role has ended."))
    else:
        messages.info(request, _("The role was over already."))
    return redirect("accounts:grants")
