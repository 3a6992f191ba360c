"""Pages of the managers of a product: write an advisory, set its embargo, tell members, publish."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from portal.accounts.models import User
from releases import tasks
from releases.actions.advisory import (
    change_advisory,
    draft_advisory,
    publish_advisory,
    withdraw_advisory,
)
from releases.actions.early_notice import entitled, send_early_notice
from releases.advisory import facts_of
from releases.errors import RefusedError
from releases.forms import AdvisoryForm, EmbargoForm, ReasonForm, initial_of
from releases.models import Advisory, Product

FORM = "releases/manage_advisory_form.html"


def _managed(user: User, identifier: str) -> Advisory:
    managed = Advisory.objects.managed_by(user, timezone.now()).with_ranges()
    return get_object_or_404(managed, identifier=identifier)


@require_safe
@login_required
def overview(request: HttpRequest) -> HttpResponse:
    """Every advisory of the products that this person manages."""
    user, now = signed_in(request), timezone.now()
    products = Product.objects.managed_by(user, now)
    if not products:
        raise PermissionDenied
    advisories = Advisory.objects.managed_by(user, now).select_related("product")
    public = advisories.published(now)
    context = {
        "products": products,
        "waiting": advisories.exclude(pk__in=public).order_by("published_at", "-pk"),
        "public": public.order_by("-published_at"),
        "now": now,
    }
    return render(request, "releases/manage_advisories.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: HttpRequest, product: str) -> HttpResponse:
    """The form of a draft."""
    user, now = signed_in(request), timezone.now()
    found = get_object_or_404(Product.objects.managed_by(user, now), slug=product)
    form = AdvisoryForm(request.POST or None, product=found, today=now.date())
    if request.method == "POST" and form.is_valid():
        try:
            advisory = draft_advisory(actor=user, product=found, statement=form.statement(), at=now)
        except RefusedError as error:
            form.add_error(None, str(error))
        else:
            return redirect(advisory.manage_url)
    return render(request, FORM, {"form": form, "product": found})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: HttpRequest, identifier: str) -> HttpResponse:
    """The form of an advisory that exists; a public one asks what changed."""
    user, now = signed_in(request), timezone.now()
    advisory = _managed(user, identifier)
    form = AdvisoryForm(
        request.POST or None,
        product=advisory.product,
        today=now.date(),
        initial=initial_of(advisory),
    )
    reason = ReasonForm(request.POST or None) if advisory.is_published(now) else None
    if request.method == "POST" and form.is_valid() and (reason is None or reason.is_valid()):
        why = reason.cleaned_data["reason"] if reason else ""
        try:
            change_advisory(
                actor=user, advisory=advisory, statement=form.statement(), at=now, reason=why
            )
        except RefusedError as error:
            form.add_error(None, str(error))
        else:
            _ask_repositories(advisory)
            return redirect(advisory.manage_url)
    context = {"form": form, "reason": reason, "product": advisory.product, "advisory": advisory}
    return render(request, FORM, context)


@require_safe
@login_required
def detail(request: HttpRequest, identifier: str) -> HttpResponse:
    """The advisory as its readers will see it, what state it is in, and what can be done."""
    user, now = signed_in(request), timezone.now()
    advisory = _managed(user, identifier)
    notices = advisory.notices.select_related("organisation", "user")
    fixes = [span.fixed for span in advisory.ranges.all() if span.fixed is not None]
    told = {(notice.organisation_id, notice.user_id) for notice in notices}
    context = {
        "advisory": advisory,
        "facts": facts_of([advisory], at=now)[0],
        "is_public": advisory.is_published(now),
        "is_embargoed": advisory.is_embargoed(now),
        "awaited": [release for release in fixes if not release.is_published(now)],
        "notices": notices,
        "untold": [
            (organisation, person)
            for organisation, person in entitled(now)
            if (organisation.pk, person.pk) not in told
        ],
        "embargo": EmbargoForm(initial={"public_from": advisory.published_at}),
    }
    return render(request, "releases/manage_advisory.html", context)


@require_POST
@login_required
def publish(request: HttpRequest, identifier: str) -> HttpResponse:
    """Public now or from a moment on; the identifier typed by hand is the confirmation."""
    user, now = signed_in(request), timezone.now()
    advisory = _managed(user, identifier)
    form = EmbargoForm(request.POST)
    if request.POST.get("confirm", "").strip() != advisory.identifier:
        messages.error(request, _("Type the identifier to confirm. Nothing was published."))
    elif not form.is_valid():
        messages.error(request, _("That is not a date and time. Nothing was published."))
    else:
        try:
            advisory = publish_advisory(
                actor=user, advisory=advisory, at=now, public_from=form.cleaned_data["public_from"]
            )
        except RefusedError as error:
            messages.error(request, str(error))
        else:
            _ask_repositories(advisory)
            _say_published(request, advisory)
    return redirect(advisory.manage_url)


def _say_published(request: HttpRequest, advisory: Advisory) -> None:
    if advisory.is_embargoed(timezone.now()):
        messages.success(request, _("%(name)s is under embargo.") % {"name": advisory})
    else:
        messages.success(request, _("%(name)s is public.") % {"name": advisory})


@require_POST
@login_required
def withdraw(request: HttpRequest, identifier: str) -> HttpResponse:
    user = signed_in(request)
    advisory = _managed(user, identifier)
    try:
        advisory = withdraw_advisory(
            actor=user,
            advisory=advisory,
            reason=request.POST.get("reason", "")[:300],
            at=timezone.now(),
        )
    except RefusedError as error:
        messages.error(request, str(error))
    else:
        _ask_repositories(advisory)
        messages.success(request, _("%(name)s is withdrawn.") % {"name": advisory})
    return redirect(advisory.manage_url)


@require_POST
@login_required
def notify(request: HttpRequest, identifier: str) -> HttpResponse:
    """Write to those who are entitled to know before everyone and were not told yet."""
    user = signed_in(request)
    advisory = _managed(user, identifier)
    try:
        sent = send_early_notice(actor=user, advisory=advisory, at=timezone.now())
    except RefusedError as error:
        messages.error(request, str(error))
    else:
        told = ngettext("%(count)s person is told.", "%(count)s people are told.", len(sent))
        messages.success(request, told % {"count": len(sent)})
    return redirect(advisory.manage_url)


def _ask_repositories(advisory: Advisory) -> None:
    """The sweep does the same a little later."""
    transaction.on_commit(lambda: tasks.announce.delay(advisory.pk))
