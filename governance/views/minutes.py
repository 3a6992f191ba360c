"""Keeping the record, putting it before the body as minutes, and every version of those."""

from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from governance.actions import minutes as actions
from governance.actions.record_import import take_record
from governance.meetings import compose, page
from governance.meetings.access import access, runs_some
from governance.meetings.example import example
from governance.meetings.forms import ActionItemForm, ImportForm, NoteForm, RecordForm
from governance.meetings.minutes_pdf import write as write_pdf
from governance.meetings.writing import write
from governance.models import Meeting, Minutes, Motion
from governance.refusals import Refusal
from governance.views.fetch import moment
from governance.views.meeting import document_context, records_votes, visible_meeting
from governance.views.meeting_plan import run_meeting
from portal.accounts.access import signed_in
from portal.lib.redline import redline

MARKDOWN = "text/markdown; charset=utf-8"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def meeting_record(request: HttpRequest, slug: str) -> HttpResponse:
    """What was said of each item. Who saves second sees both texts and decides."""
    meeting = run_meeting(request, slug, moment())
    items = list(meeting.agenda.select_related("motion"))
    form = RecordForm(request.POST or None, meeting=meeting, items=items)
    is_stale = False
    if request.method == "POST" and form.is_valid():
        try:
            _keep(request, meeting, form)
        except actions.ChangedMeanwhile:
            is_stale = True
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The record is saved."))
            return redirect(f"{request.path}#saved")  # what was typed is kept no longer
    status = 422 if form.errors else 409 if is_stale else 200
    context = {
        "meeting": meeting,
        "form": form,
        "rows": [(item, form[f"item_{item.pk}"], compose.result_of(item.motion)) for item in items],
        "is_stale": is_stale,
        "records_votes": records_votes(request, meeting, moment()),
        "actions": meeting.action_items.by_due_date(),
        "action_form": ActionItemForm(meeting=meeting),
    }
    return render(request, "governance/meeting_record.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def minutes_draft(request: HttpRequest, slug: str) -> HttpResponse:
    """The minutes as they would be frozen now; POST puts them before the body."""
    at = moment()
    meeting = run_meeting(request, slug, at)
    last = meeting.minutes.first()
    form = NoteForm(request.POST if request.method == "POST" else None, corrects=last is not None)
    if request.method == "POST" and form.is_valid():
        try:
            minutes = actions.submit_minutes(
                actor=signed_in(request), meeting=meeting, note=form.cleaned_data["note"]
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(
                request, _("The minutes are before the body. Its voters get a letter.")
            )
            return redirect(minutes)
    document = compose.document_of(meeting)
    motions = Motion.objects.filter(body=meeting.body)
    context = {
        "meeting": meeting,
        "form": form,
        "document": document,
        "items": page.items(document, motions),
        "consents": page.consents(document, motions),
        "last": last,
        "pieces": redline(last.text, write(document)) if last else [],
        "not_to_submit": actions.not_to_submit(meeting, at),
    }
    status = 422 if form.errors else 200
    return render(request, "governance/minutes_draft.html", context, status=status)


@require_safe
def minutes_detail(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A version with what changed since the one before."""
    at = moment()
    minutes = readable_minutes(request, slug, number, at)
    rights = access(request.user, minutes.meeting.body, at)
    before = _before(request, minutes, at)
    text = minutes.text_for(closed=rights.reads_closed)
    context = {
        "meeting": minutes.meeting,
        "minutes": minutes,
        "before": before,
        "pieces": redline(before.text_for(closed=rights.reads_closed), text) if before else [],
        "not_to_move": actions.not_to_move(request.user, minutes, at) if rights.reads else None,
        "rights": rights,
        "is_current": not _newer(minutes, at),
        **document_context(request, minutes, rights, at),
    }
    return render(request, "governance/minutes.html", context)


@login_required
@require_POST
def minutes_move(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Move that this version is approved: a motion like any other."""
    at = moment()
    minutes = readable_minutes(request, slug, number, at)
    try:
        motion = actions.move_approval(actor=signed_in(request), minutes=minutes)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect(minutes)
    messages.success(request, _("Moved. Now it needs what every motion needs before its vote."))
    return redirect(motion)


@require_safe
def minutes_file(request: HttpRequest, slug: str, number: int, form: str) -> HttpResponse:
    """A version as Markdown or PDF, with the closed sessions for who may read them unless they ask
    for it `?as=published`.
    """
    at = moment()
    minutes = readable_minutes(request, slug, number, at)
    may = access(request.user, minutes.meeting.body, at).reads_closed
    closed = may and request.GET.get("as") != "published"
    name = f"{minutes.meeting.slug}-minutes-{minutes.number}.{form}"
    if form == "pdf":
        answer = HttpResponse(write_pdf(minutes, closed=closed), content_type="application/pdf")
    else:
        answer = HttpResponse(minutes.text_for(closed=closed), content_type=MARKDOWN)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@login_required
@require_safe
def record_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The record as it is kept now, as Markdown, for who keeps it."""
    meeting = run_meeting(request, slug, moment())
    answer = HttpResponse(write(compose.document_of(meeting)), content_type=MARKDOWN)
    answer["Content-Disposition"] = f'attachment; filename="{meeting.slug}.md"'
    return answer


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def record_import(request: HttpRequest, slug: str = "") -> HttpResponse:
    """The whole record as one text: of a new meeting, or in place of what is kept."""
    at = moment()
    meeting = run_meeting(request, slug, at) if slug else None
    if meeting is None and not runs_some(request.user, at):
        raise Http404
    first = _first_text(meeting)
    form = ImportForm(request.POST or None, request.FILES or None, initial=first)
    if request.method == "POST" and form.is_valid():
        try:
            taken = take_record(
                actor=signed_in(request),
                document=form.document,
                meeting=meeting,
                seen=form.cleaned_data["seen"] if meeting else None,
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The record says what the text says."))
            return redirect(taken)
    context = {"form": form, "meeting": meeting, "example": example()}
    status = 422 if form.errors else 200
    return render(request, "governance/record_import.html", context, status=status)


def readable_minutes(request: HttpRequest, slug: str, number: int, at: datetime) -> Minutes:
    """The version: approved ones of announced meetings for everybody, others for the body."""
    meeting = visible_meeting(request, slug, at)
    found = meeting.minutes.select_related("motion", "meeting__body", "submitted_by")
    minutes = get_object_or_404(found, number=number)
    if minutes.approved_at is None and not access(request.user, meeting.body, at).reads:
        raise Http404
    return minutes


def _keep(request: HttpRequest, meeting: Meeting, form: RecordForm) -> None:
    actions.keep_record(
        actor=signed_in(request),
        meeting=meeting,
        opened_at=form.moment("opened"),
        closed_at=form.moment("closed"),
        records=form.records(),
        seen=form.cleaned_data["seen"],
    )


def _first_text(meeting: Meeting | None) -> dict[str, object]:
    if meeting is None:
        return {}
    return {"text": write(compose.document_of(meeting)), "seen": meeting.record_version}


def _before(request: HttpRequest, minutes: Minutes, at: datetime) -> Minutes | None:
    """The version before that the reader may see."""
    earlier = minutes.meeting.minutes.filter(number__lt=minutes.number)
    if not access(request.user, minutes.meeting.body, at).reads:
        earlier = earlier.approved(at)
    return earlier.select_related("motion").order_by("-number").first()


def _newer(minutes: Minutes, at: datetime) -> bool:
    return minutes.meeting.minutes.approved(at).filter(number__gt=minutes.number).exists()
