"""Planning a meeting: when and where, its agenda, announcing and cancelling it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from governance.actions import agenda as agenda_actions
from governance.actions import meeting as actions
from governance.actions.agenda import Point
from governance.actions.meeting import Plan
from governance.meetings import notice
from governance.meetings.access import access, runs_some
from governance.meetings.forms import AgendaItemForm, MeetingForm, ReasonForm, first_times
from governance.models import Meeting
from governance.refusals import Refusal
from governance.views.fetch import moment
from governance.views.meeting import visible_meeting
from portal.accounts.access import signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def meeting_new(request: HttpRequest) -> HttpResponse:
    at = moment()
    bodies = runs_some(request.user, at)
    if not bodies:
        raise PermissionDenied(_("Meetings are planned by the chair, the secretary and staff."))
    named = request.GET.get("body", "")
    body = next((each for each in bodies if named in {each.slug, str(each.pk)}), bodies[0])
    first = {"body": body, **first_times(at, notice.earliest(body, timezone.localdate(at)))}
    form = MeetingForm(request.POST or None, bodies=bodies, initial=first)
    if request.method == "POST" and form.is_valid():
        body = form.cleaned_data["body"]
        try:
            meeting = actions.plan_meeting(actor=signed_in(request), body=body, plan=_plan(form))
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Planned. Look at its agenda, then announce it."))
            return redirect("governance:meeting_agenda", meeting.slug)
    return _form_page(request, form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def meeting_edit(request: HttpRequest, slug: str) -> HttpResponse:
    at = moment()
    meeting = run_meeting(request, slug, at)
    form = MeetingForm(request.POST or None, bodies=[meeting.body], instance=meeting)
    if request.method == "POST" and form.is_valid():
        plan, user = _plan(form), signed_in(request)
        try:
            actions.change_meeting(actor=user, meeting=meeting, plan=plan)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The meeting is changed."))
            return redirect(meeting)
    return _form_page(request, form, meeting)


@login_required
@require_POST
def meeting_announce(request: HttpRequest, slug: str) -> HttpResponse:
    meeting = run_meeting(request, slug, moment())
    said = _("The meeting is announced. Everybody sees it; who holds a seat gets a letter.")
    because = request.POST.get("short_notice_because", "")[:300]
    return _acted(
        request,
        meeting,
        lambda: actions.announce_meeting(
            actor=signed_in(request), meeting=meeting, short_notice_because=because
        ),
        said,
    )


@login_required
@require_POST
def meeting_cancel(request: HttpRequest, slug: str) -> HttpResponse:
    meeting = run_meeting(request, slug, moment())
    form = ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    return _acted(
        request,
        meeting,
        lambda: actions.cancel_meeting(actor=signed_in(request), meeting=meeting, reason=reason),
        _("The meeting is cancelled; everybody who was invited is told."),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def meeting_agenda(request: HttpRequest, slug: str) -> HttpResponse:
    """The agenda to arrange; POST adds an item, with `gather` every open motion."""
    meeting = run_meeting(request, slug, moment())
    user = signed_in(request)
    if request.method == "POST" and "gather" in request.POST:
        return _acted(request, meeting, lambda: _gather(request, meeting), "", "meeting_agenda")
    form = AgendaItemForm(request.POST or None, meeting=meeting)
    if request.method == "POST" and form.is_valid():
        try:
            agenda_actions.add_item(actor=user, meeting=meeting, point=_point(form))
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("governance:meeting_agenda", slug)
    context = {
        "meeting": meeting,
        "form": form,
        "agenda": meeting.agenda.select_related("motion"),
        "missing": agenda_actions.open_motions(meeting),
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "governance/meeting_agenda.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def agenda_item(request: HttpRequest, slug: str, position: int) -> HttpResponse:
    meeting = run_meeting(request, slug, moment())
    item = get_object_or_404(meeting.agenda.all(), position=position)
    form = AgendaItemForm(request.POST or None, meeting=meeting, instance=item)
    if request.method == "POST" and form.is_valid():
        fresh = meeting.agenda.get(pk=item.pk)
        try:
            agenda_actions.change_item(actor=signed_in(request), item=fresh, point=_point(form))
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The item is changed."))
            return redirect("governance:meeting_agenda", slug)
    context = {"meeting": meeting, "form": form, "item": item}
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "governance/agenda_item_form.html", context, status=status)


@login_required
@require_POST
def agenda_move(request: HttpRequest, slug: str, position: int) -> HttpResponse:
    """POST with `to` = up, down or off."""
    meeting = run_meeting(request, slug, moment())
    item = get_object_or_404(meeting.agenda.all(), position=position)
    user, to = signed_in(request), request.POST.get("to", "")
    if to == "off":
        return _acted(
            request,
            meeting,
            lambda: agenda_actions.remove_item(actor=user, item=item),
            "",
            "meeting_agenda",
        )
    agenda_actions.move_item(actor=user, item=item, up=to == "up")
    return redirect("governance:meeting_agenda", slug)


def run_meeting(request: HttpRequest, slug: str, at: datetime) -> Meeting:
    """The meeting, if the visitor keeps the meetings of its body; others get 403."""
    meeting = visible_meeting(request, slug, at)
    if not access(request.user, meeting.body, at).runs:
        raise PermissionDenied(_("Meetings are kept by the chair, the secretary and staff."))
    return meeting


def _gather(request: HttpRequest, meeting: Meeting) -> None:
    added = agenda_actions.gather_motions(actor=signed_in(request), meeting=meeting)
    words = ngettext("%(count)s motion was added.", "%(count)s motions were added.", added)
    messages.success(request, words % {"count": added})


def _acted(
    request: HttpRequest,
    meeting: Meeting,
    act: Callable[[], object],
    said: str,
    back: str = "meeting",
) -> HttpResponse:
    """Do it and say so, or say why not."""
    try:
        act()
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        if said:
            messages.success(request, said)
    return redirect(f"governance:{back}", meeting.slug)


def _form_page(
    request: HttpRequest, form: MeetingForm, meeting: Meeting | None = None
) -> HttpResponse:
    status = 422 if form.is_bound and form.errors else 200
    today = timezone.localdate()
    announced = meeting is not None and meeting.announced_at is not None
    context = {
        "form": form,
        "meeting": meeting,
        "notices": [] if announced else notice.asked(form.bodies, today),
    }
    return render(request, "governance/meeting_form.html", context, status=status)


def _plan(form: MeetingForm) -> Plan:
    return Plan(**_named(form.cleaned_data, Plan.__dataclass_fields__))


def _point(form: AgendaItemForm) -> Point:
    return Point(**_named(form.cleaned_data, Point.__dataclass_fields__))


def _named(values: dict[str, Any], names: Any) -> dict[str, Any]:
    return {name: values[name] for name in names}
