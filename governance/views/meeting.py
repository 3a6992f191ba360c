"""The list of meetings and the page of each: record, JSON, Markdown, PDF, calendar, feed."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from governance.actions.minutes import not_to_submit
from governance.discussion.discussing import keeps
from governance.forms.filters import ListFilterForm
from governance.meetings import calendars, compose, notice, page, sealing, words
from governance.meetings.access import Access, access, runs_some
from governance.models import ActionItem, Body, Meeting, Minutes, Motion
from governance.models.meeting import MeetingQuerySet
from governance.views.fetch import moment
from portal.lib.icalendar import CONTENT_TYPE
from portal.lib.open_data import for_everybody

PER_PAGE = 20
# What an agenda says of a motion: where it is, and its state.
SHOWN_OF_MOTION = ("slug", "title", "year", "number", "state", "way", "electorate", "deadline")


@require_safe
def meeting_list(request: HttpRequest) -> HttpResponse:
    at = moment()
    visible = Meeting.objects.visible_to(request.user, at).select_related("body")
    form = ListFilterForm(request.GET, years=_years(visible))
    found = _filtered(visible, form)
    past = Paginator(_with_minutes(found.past(at)), PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "governance/meeting_list.html",
        {
            "at": at,
            "form": form,
            "filtered": any(request.GET.get(name) for name in form.fields),
            "upcoming": [(each, *words.state(each, at)) for each in found.upcoming(at)],
            "page": past,
            "past": [(each, *words.state(each, at), _newest(each)) for each in past],
            "body": form.cleaned_data.get("body"),
            "may_plan": bool(runs_some(request.user, at)),
        },
    )


@require_safe
def meeting_detail(request: HttpRequest, slug: str) -> HttpResponse:
    at = moment()
    meeting = visible_meeting(request, slug, at)
    rights = access(request.user, meeting.body, at)
    state, tone = words.state(meeting, at)
    approved = meeting.minutes.approved(at).select_related("motion").first()
    context = {
        "meeting": meeting,
        "at": at,
        "rights": rights,
        "state": state,
        "tone": tone,
        "is_over": meeting.is_over(at),
        "notice": notice.shown(meeting, at),
        "shows_link": meeting.link and (rights.reads or meeting.is_open),
        "approved": approved,
        "agenda": _agenda(request, meeting, at),
        "records_votes": records_votes(request, meeting, at),
        "action_items": action_items_for(meeting, rights, at),
        **_insider_context(meeting, rights, at),
    }
    if approved is not None:
        context |= document_context(request, approved, rights, at)
    return render(request, "governance/meeting.html", context)


def document_context(
    request: HttpRequest, minutes: Minutes, rights: Access, at: datetime
) -> dict[str, Any]:
    """The document of minutes for this reader, with the motions that they may see."""
    document = minutes.document
    if not rights.reads_closed:
        document = sealing.published(document)
    motions = Motion.objects.visible_to(request.user, at).filter(body=minutes.meeting.body_id)
    return {
        "document": document,
        "items": page.items(document, motions),
        "consents": page.consents(document, motions),
    }


def _insider_context(meeting: Meeting, rights: Access, at: datetime) -> dict[str, Any]:
    """How far the record is, for those who keep or read it."""
    if not rights.reads:
        return {}
    versions = list(meeting.minutes.select_related("motion"))
    context: dict[str, Any] = {
        "versions": [(each, words.TONES[each.state]) for each in versions],
        "quorum": page.quorum(meeting, at),
        "goes_on": page.goes_on(meeting, at),
    }
    if rights.runs:
        context["not_to_submit"] = not_to_submit(meeting, at)
        context["notice_now"] = notice.notice(meeting, at)
    return context


def records_votes(request: HttpRequest, meeting: Meeting, at: datetime) -> bool:
    """Whether the visitor may write down how this meeting votes, now that it goes on or is over."""
    may = not meeting.is_cancelled and meeting.begins_at <= at
    return may and keeps(request.user, meeting.body, at)


def action_items_for(meeting: Meeting, rights: Access, at: datetime) -> list[ActionItem]:
    """What the reader may see: everybody once the minutes stand, the body before."""
    found = meeting.action_items.by_due_date()
    if rights.reads_closed:
        return list(found)
    shown = found.exclude(agenda_item__is_closed=True)
    return list(shown if rights.reads else shown.public(at))


def _agenda(request: HttpRequest, meeting: Meeting, at: datetime) -> list[tuple[Any, Any]]:
    """The items, each with its motion if the reader may see that."""
    visible = Motion.objects.visible_to(request.user, at).filter(agenda_items__meeting=meeting)
    known = {motion.pk: motion for motion in visible.only(*SHOWN_OF_MOTION)}
    return [(item, known.get(item.motion_id or 0)) for item in meeting.agenda.all()]


@require_safe
def meeting_json(request: HttpRequest, slug: str) -> HttpResponseBase:
    """A meeting that was announced, for programs; its minutes once they are approved."""
    at = moment()
    meeting = get_object_or_404(Meeting.objects.announced().select_related("body"), slug=slug)
    approved = meeting.minutes.approved(at).select_related("motion").first()
    return for_everybody(request, JsonResponse(_as_data(meeting, approved, at)))


@require_safe
def meeting_ics(request: HttpRequest, slug: str) -> HttpResponse:
    at = moment()
    meeting = visible_meeting(request, slug, at)
    insider = access(request.user, meeting.body, at).reads
    text = calendars.write(meeting.title, [meeting], for_insiders=insider)
    answer = HttpResponse(text, content_type=CONTENT_TYPE)
    answer["Content-Disposition"] = f'attachment; filename="{meeting.slug}.ics"'
    return answer


@require_safe
def calendar(request: HttpRequest, body: str = "") -> HttpResponseBase:
    """All announced meetings, or those of a body, for a calendar program to follow."""
    moment()
    meetings = Meeting.objects.announced().select_related("body").prefetch_related("agenda")
    name = _("Meetings of the %(name)s") % {"name": settings.FOUNDATION_NAME}
    if body:
        named = get_object_or_404(Body, slug=body)
        meetings, name = meetings.filter(body=named), f"{name}: {named}"
    text = calendars.write(name, meetings.order_by("begins_at", "pk"))
    return for_everybody(request, HttpResponse(text, content_type=CONTENT_TYPE))


def visible_meeting(request: HttpRequest, slug: str, at: datetime) -> Meeting:
    """The meeting of this address, if the visitor may know of it; else 404."""
    visible = Meeting.objects.visible_to(request.user, at).select_related("body")
    return get_object_or_404(visible.prefetch_related("agenda"), slug=slug)


def _as_data(meeting: Meeting, approved: Minutes | None, at: datetime) -> dict[str, Any]:
    return {
        "meeting": meeting.slug,
        "body": meeting.body.slug,
        "title": meeting.title,
        "begins": meeting.begins_at,
        "ends": meeting.ends_at,
        "place": meeting.place,
        "link": meeting.link if meeting.is_open else None,
        "announced": meeting.announced_at,
        "cancelled": meeting.cancelled_at,
        "cancelled_because": meeting.cancelled_because or None,
        "agenda": [_item_as_data(item) for item in meeting.agenda.select_related("motion")],
        "minutes": _minutes_as_data(approved) if approved else None,
    }


def _item_as_data(item: Any) -> dict[str, Any]:
    public = item.motion is not None and item.motion.opened_at is not None
    return {
        "position": item.position,
        "title": item.title,
        "about": item.about,
        "motion": item.motion.reference if public else None,
        "result": compose.result_of(item.motion) or None,
        "closed": item.is_closed,
    }


def _minutes_as_data(minutes: Minutes) -> dict[str, Any]:
    return {
        "version": minutes.number,
        "approved": minutes.approved_at,
        "resolution": minutes.motion.resolution if minutes.motion else None,
        "text_sha256": minutes.text_sha256,
        "text": minutes.text_for(closed=False),
    }


def _with_minutes(meetings: MeetingQuerySet) -> MeetingQuerySet:
    return meetings.prefetch_related("minutes__motion")


def _newest(meeting: Meeting) -> Minutes | None:
    """The newest approved version, from what was fetched."""
    return next((each for each in meeting.minutes.all() if each.approved_at), None)


def _filtered(meetings: MeetingQuerySet, form: ListFilterForm) -> MeetingQuerySet:
    form.is_valid()
    asked = form.cleaned_data
    if asked.get("q"):
        words_of = Q(title__icontains=asked["q"]) | Q(agenda__title__icontains=asked["q"])
        meetings = meetings.filter(words_of).distinct()
    if asked.get("body"):
        meetings = meetings.filter(body=asked["body"])
    if asked.get("year"):
        meetings = meetings.filter(begins_at__year=asked["year"])
    return meetings


def _years(meetings: MeetingQuerySet) -> list[int]:
    return [day.year for day in meetings.order_by().datetimes("begins_at", "year", order="DESC")]
