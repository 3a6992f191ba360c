"""The roll of a meeting."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from governance.actions import attendance as actions
from governance.actions.attendance import Mark
from governance.meetings import page
from governance.meetings.forms import AttendanceForm, GuestForm
from governance.models import Meeting
from governance.refusals import Refusal
from governance.views.fetch import moment
from governance.views.meeting_plan import run_meeting
from portal.accounts.access import signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def meeting_attendance(request: HttpRequest, slug: str) -> HttpResponse:
    """The roll; the first POST (`call`) writes everybody who holds a seat on it."""
    meeting = run_meeting(request, slug, moment())
    if request.method != "POST":
        return _page(request, meeting, _forms(request, meeting), GuestForm())
    try:
        if "call" in request.POST:
            actions.call_roll(actor=signed_in(request), meeting=meeting)
            return redirect("governance:meeting_attendance", slug)
        return _marked(request, meeting)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("governance:meeting_attendance", slug)


@login_required
@require_POST
def attendance_remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    meeting = run_meeting(request, slug, moment())
    row = get_object_or_404(meeting.attendance.select_related("meeting"), pk=pk)
    try:
        actions.remove_guest(actor=signed_in(request), attendance=row)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("governance:meeting_attendance", slug)


def _marked(request: HttpRequest, meeting: Meeting) -> HttpResponse:
    """Keep the marks, and a guest if one is named."""
    forms = _forms(request, meeting)
    guest = GuestForm(request.POST)
    names_guest = bool(request.POST.get("name", "").strip())
    if not all(form.is_valid() for form in forms) or (names_guest and not guest.is_valid()):
        return _page(request, meeting, forms, guest if names_guest else GuestForm(), status=422)
    user = signed_in(request)
    actions.mark_attendance(actor=user, meeting=meeting, marks=[_mark(form) for form in forms])
    if "now" in request.POST:
        _note_now(request, meeting)
        return redirect(f"{request.path}#saved")
    if names_guest:
        sent = guest.cleaned_data
        actions.add_guest(actor=user, meeting=meeting, name=sent["name"], seat=sent["seat"])
        messages.success(request, _("The roll is kept, and the guest is on it."))
        return redirect(f"{request.path}#saved")
    messages.success(request, _("The roll is kept."))
    return redirect("governance:meeting", meeting.slug)


def _note_now(request: HttpRequest, meeting: Meeting) -> None:
    """`now` = the key of a row and `in` or `out`: at this moment, beside what else was marked."""
    key, _colon, way = request.POST["now"].partition(":")
    row = get_object_or_404(meeting.attendance, pk=int(key) if key.isdecimal() else 0)
    act = actions.note_departure if way == "out" else actions.note_arrival
    act(actor=signed_in(request), attendance=row)


def _mark(form: AttendanceForm) -> Mark:
    kind = form.cleaned_data["kind"]
    return Mark(form.row.pk, kind, form.moment("arrived"), form.moment("left"), form.outings)


def _forms(request: HttpRequest, meeting: Meeting) -> list[AttendanceForm]:
    sent = request.POST if request.method == "POST" else None
    rows = meeting.attendance.select_related("meeting").prefetch_related("outings")
    return [AttendanceForm(sent, row=row) for row in rows]


def _page(
    request: HttpRequest,
    meeting: Meeting,
    forms: list[AttendanceForm],
    guest: GuestForm,
    status: int = 200,
) -> HttpResponse:
    at = moment()
    context = {
        "meeting": meeting,
        "forms": forms,
        "guest": guest,
        "quorum": page.quorum(meeting, at),
        "goes_on": page.goes_on(meeting, at),
    }
    return render(request, "governance/meeting_attendance.html", context, status=status)
