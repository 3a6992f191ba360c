"""The outbox, for staff: letters that wait, left, or were given up."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.lib import audit, outbox
from portal.lib.models import OutboxMail

PAGE_SIZE = 50
STATES = {"waiting": _("Waiting"), "given_up": _("Given up"), "sent": _("Sent")}


@role_required(Role.STAFF)
@require_safe
def mail_list(request: HttpRequest) -> HttpResponse:
    wanted = request.GET.get("state", "")
    state = wanted if wanted in STATES else "waiting"
    counts = {name: OutboxMail.objects.in_state(name).count() for name in STATES}
    letters = OutboxMail.objects.in_state(state)
    page = Paginator(letters, PAGE_SIZE).get_page(request.GET.get("page"))
    chips = [
        {"label": label, "url": f"?state={name}", "count": counts[name], "current": name == state}
        for name, label in STATES.items()
    ]
    context = {"page": page, "state": state, "chips": chips, "given_up": counts["given_up"]}
    return render(request, "accounts/mail_list.html", context)


@role_required(Role.STAFF)
@require_POST
def mail_retry(request: HttpRequest, pk: int) -> HttpResponse:
    mail = get_object_or_404(OutboxMail, pk=pk)
    if outbox.retry(mail):
        audit.record(actor=signed_in(request), verb="mail.retry", subject=mail)
        messages.success(request, gettext("The letter is sent again within seconds."))
    else:
        messages.info(request, gettext("The letter has left already."))
    return redirect("accounts:mails")
