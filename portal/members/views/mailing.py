"""The staff write to the advisory list: draft, look, try, confirm, send, see what came of it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.members.actions.mailing import (
    RecipientsChangedError,
    SentAlreadyError,
    change_mailing,
    drop_mailing,
    send_mailing,
    try_mailing,
    write_mailing,
)
from portal.members.forms.advisory_list import MailingForm
from portal.members.models import Mailing, Subscriber

PAGE_SIZE = 50


@role_required(Role.STAFF)
@require_safe
@never_cache
def mailing_list(request: HttpRequest) -> HttpResponse:
    """Drafts, and what was sent to how many."""
    page = Paginator(Mailing.objects.with_counts(), PAGE_SIZE).get_page(request.GET.get("page"))
    now = timezone.now()
    seated = Subscriber.objects.seated(now).select_related("organisation")
    context = {
        "page": page,
        "subscribers": seated.with_failures().order_by("organisation__name", "since"),
        "receiving": Subscriber.objects.receiving(now).count(),
    }
    return render(request, "members/mailing_list.html", context)


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def mailing_add(request: HttpRequest) -> HttpResponse:
    form = MailingForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        mailing = write_mailing(actor=signed_in(request), **form.cleaned_data)
        return redirect("members:mailing_edit", mailing.pk)
    return render(request, "members/mailing_form.html", {"form": form, "mailing": None})


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def mailing_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """A draft with its preview; once it has left, what became of each copy."""
    mailing = get_object_or_404(Mailing, pk=pk)
    if mailing.sent_at:
        deliveries = mailing.deliveries.select_related("letter", "subscriber__organisation")
        context = {"mailing": mailing, "deliveries": deliveries, **mailing.delivery_counts()}
        return render(request, "members/mailing_report.html", context)
    form = MailingForm(request.POST or None, instance=Mailing.objects.get(pk=pk))
    if request.method == "POST" and form.is_valid():
        try:
            change_mailing(actor=signed_in(request), mailing=mailing, **form.cleaned_data)
            messages.success(request, _("Saved. Below is how it looks."))
        except SentAlreadyError:
            messages.error(request, _("It was sent meanwhile; your changes were not kept."))
        return redirect("members:mailing_edit", pk)
    return render(request, "members/mailing_form.html", {"form": form, "mailing": mailing})


@role_required(Role.STAFF)
@require_POST
def mailing_try(request: HttpRequest, pk: int) -> HttpResponse:
    """A copy to oneself."""
    user = signed_in(request)
    mailing = get_object_or_404(Mailing, pk=pk)
    try_mailing(actor=user, mailing=mailing)
    messages.success(
        request, _("A test letter is on its way to %(email)s.") % {"email": user.email}
    )
    return redirect("members:mailing_edit", pk)


@role_required(Role.STAFF)
@require_POST
def mailing_drop(request: HttpRequest, pk: int) -> HttpResponse:
    mailing = get_object_or_404(Mailing, pk=pk)
    try:
        drop_mailing(actor=signed_in(request), mailing=mailing)
        messages.success(request, _("The draft is gone."))
    except SentAlreadyError:
        messages.error(request, _("It was sent already: it stays in the archive."))
    return redirect("members:mailings")


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def mailing_send(request: HttpRequest, pk: int) -> HttpResponse:
    """Says who would get it, and asks; sends to as many as were confirmed or to nobody."""
    mailing = get_object_or_404(Mailing, pk=pk)
    if mailing.sent_at:
        return redirect("members:mailing_edit", pk)
    if request.method == "POST" and _sent(request, mailing):
        return redirect("members:mailing_edit", pk)
    receiving = Subscriber.objects.receiving(timezone.now()).select_related("organisation")
    recipients = receiving.order_by("organisation__name", "since")
    context = {"mailing": mailing, "recipients": recipients}
    return render(request, "members/mailing_send.html", context)


def _sent(request: HttpRequest, mailing: Mailing) -> bool:
    confirmed = request.POST.get("recipients", "")
    expected = int(confirmed) if confirmed.isdecimal() and len(confirmed) < 9 else -1
    try:
        number = send_mailing(
            actor=signed_in(request), mailing=mailing, expected=expected, at=timezone.now()
        )
    except RecipientsChangedError:
        messages.error(request, _("Nothing was sent: the recipients have changed. Look again."))
        return False
    except SentAlreadyError:
        messages.info(request, _("It was sent already, once to each."))
        return True
    said = ngettext("Sent to %(number)s person.", "Sent to %(number)s people.", number)
    messages.success(request, said % {"number": number})
    return True
