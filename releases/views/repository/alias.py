"""The aliases of the products that a person manages: where each points, and moving one by hand."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from releases import tasks
from releases.actions.alias import free_alias, lost_systems, move_alias, reasons_against_move
from releases.aliases import wanted
from releases.errors import RefusedError
from releases.models import Alias, File, Product, Series
from releases.views.managed import managed_alias, manager_of


@require_safe
@login_required
def alias_list(request: HttpRequest) -> HttpResponse:
    user, now = manager_of(request), timezone.now()
    managed = Product.objects.managed_by(user, now)
    aliases = Alias.objects.filter(product__in=managed).select_related("product", "series")
    context = {
        "aliases": aliases.select_related("target").order_by("product__position", "product", "pk"),
        "waits": aliases.moving().exists(),
    }
    return render(request, "releases/repository/aliases.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def manage_alias(request: HttpRequest, number: int) -> HttpResponse:
    """Choose a series (GET), read what clients will see, and confirm (POST)."""
    user, now = signed_in(request), timezone.now()
    alias = managed_alias(user, number)
    asked = request.POST if request.method == "POST" else request.GET
    series = alias.product.series.filter(name=asked.get("series", "").replace("\0", "")).first()
    status = 200
    if request.method == "POST":
        try:
            if series is None:
                raise RefusedError(_("Choose a series first."))
            queued = move_alias(actor=user, alias=alias, series=series, at=now)
        except RefusedError as error:
            messages.error(request, str(error))
            status = 400
        else:
            tasks.follow(File.objects.none(), queued)
            messages.success(request, _moved(alias, series, waits=bool(queued)))
            return redirect("releases:manage_aliases")
    context = {"alias": alias, "choice": series} | _choices(alias, series, now)
    return render(request, "releases/repository/alias.html", context, status=status)


def _choices(alias: Alias, series: Series | None, at: dt.datetime) -> dict[str, Any]:
    offered = alias.product.series.filter(repositories__current__isnull=False).distinct()
    rule = wanted(alias.product, at=at).get(alias.name)
    context: dict[str, Any] = {"offered": offered.newest_first(), "rule": rule, "now": at}
    context["past"] = alias.past.select_related("series")[:10]
    if series is not None:
        context["refusals"] = reasons_against_move(alias=alias, series=series)
        context["lost"] = lost_systems(alias=alias, series=series)
    return context


def _moved(alias: Alias, series: Series, *, waits: bool) -> str:
    words = {"alias": alias, "series": series.name}
    if waits:
        return _("%(alias)s goes to %(series)s as soon as that is published anew.") % words
    return _("%(alias)s stays at %(series)s, by hand.") % words


@require_POST
@login_required
def free(request: HttpRequest, number: int) -> HttpResponse:
    """Let the alias follow its rule again."""
    user = signed_in(request)
    alias = managed_alias(user, number)
    queued = free_alias(actor=user, alias=alias, at=timezone.now())
    tasks.follow(File.objects.none(), queued)
    messages.success(request, _("%(alias)s follows its rule again.") % {"alias": alias})
    return redirect("releases:manage_aliases")
