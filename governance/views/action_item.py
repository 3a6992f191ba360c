"""What is done with an action item."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from governance.actions import action_item as actions
from governance.meetings.forms import ActionItemForm, DueForm, ReasonForm
from governance.models import ActionItem
from governance.refusals import Refusal
from governance.views.fetch import moment
from governance.views.meeting_plan import run_meeting
from portal.accounts.access import signed_in


@login_required
@require_POST
def action_give(request: HttpRequest, slug: str) -> HttpResponse:
    """Note an action item of a meeting."""
    meeting = run_meeting(request, slug, moment())
    form = ActionItemForm(request.POST, meeting=meeting)
    if not form.is_valid():
        context = {"meeting": meeting, "form": form}
        return render(request, "governance/action_form.html", context, status=422)
    try:
        actions.give_action_item(actor=signed_in(request), meeting=meeting, **form.cleaned_data)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The action item is noted."))
    return redirect(_back(request, meeting.get_absolute_url()))


@login_required
@require_POST
def action_act(request: HttpRequest, pk: int, act: str) -> HttpResponse:
    """`done`, `reopen`, `drop` with a reason, or `move` to another day."""
    at = moment()
    user = signed_in(request)
    visible = ActionItem.objects.visible_to(user, at).select_related("meeting__body")
    item = get_object_or_404(visible, pk=pk)
    acts: dict[str, Callable[[], Any]] = {
        "done": lambda: actions.finish_action_item(actor=user, item=item),
        "reopen": lambda: actions.reopen_action_item(actor=user, item=item),
        "drop": lambda: actions.drop_action_item(actor=user, item=item, reason=_reason(request)),
        "move": lambda: actions.move_due_date(actor=user, item=item, due=_due(request)),
    }
    try:
        acts[act]()
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Noted."))
    return redirect(_back(request, "/governance/actions/"))


def _reason(request: HttpRequest) -> str:
    form = ReasonForm(request.POST)
    return str(form.cleaned_data["reason"]) if form.is_valid() else ""


def _due(request: HttpRequest) -> Any:
    form = DueForm(request.POST)
    if not form.is_valid():
        raise Refusal(_("That is not a day. Write it as 2026-12-01."))
    return form.cleaned_data["due"]


def _back(request: HttpRequest, otherwise: str) -> str:
    """Where the form stood, if that is a page of ours."""
    asked = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(asked, allowed_hosts={request.get_host()})
    return asked if ours else otherwise
