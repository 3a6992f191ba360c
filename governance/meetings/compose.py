"""From the rows of a meeting to its document."""

from __future__ import annotations

from datetime import datetime, time

from django.utils import timezone
from django.utils.translation import gettext as _

from governance import words
from governance.meetings.document import Document, Filed, Item, Kind, Person, Task
from governance.meetings.lines import one_line, tidy
from governance.models import ActionItem, AgendaItem, Attendance, Consent, Meeting, Motion, Vote
from governance.motions import results, rolls


def document_of(meeting: Meeting) -> Document:
    """The record as it is kept now. A task that belongs to no item follows the last one."""
    tasks = list(meeting.action_items.filter(dropped_at__isnull=True).order_by("pk"))
    agenda = list(meeting.agenda.select_related("motion").order_by("position"))
    people = meeting.attendance.order_by("position").prefetch_related("outings")
    consents = Consent.objects.of_minutes(meeting).select_related("motion")
    return Document(
        title=one_line(meeting.title),
        body=meeting.body.slug,
        begins=timezone.localtime(meeting.begins_at).replace(second=0, microsecond=0),
        ends=timezone.localtime(meeting.ends_at).replace(second=0, microsecond=0),
        place=one_line(meeting.place),
        opened=_clock(meeting.opened_at),
        closed=_clock(meeting.closed_at),
        people=tuple(_person(row) for row in people),
        consents=tuple(_filed(consent) for consent in consents if consent.effective_at),
        items=tuple(_item(item, tasks, is_last=item == agenda[-1]) for item in agenda),
    )


def result_of(motion: Motion | None) -> str:
    """What its vote came to, in a sentence; nothing while it is undecided."""
    if motion is None or not motion.is_decided:
        return ""
    answer = words.answer(results.report(motion)) if motion.is_counted else _uncounted(motion)
    if motion.way == Motion.Way.MEETING:
        answer = f"{answer} {_by_name(motion)}".strip()
    if not motion.resolution:
        return f"{motion.get_state_display()}. {answer}"
    return _("Carried as resolution %(number)s. %(answer)s") % {
        "number": motion.resolution,
        "answer": answer,
    }


def _by_name(motion: Motion) -> str:
    """Who voted how in the room, for whoever reads the minutes alone."""
    votes = [vote for seat in rolls.roster(motion) for vote in seat.votes.all()]
    said = {
        choice: [one_line(vote.voter.label) for vote in votes if vote.choice == choice]
        for choice in Vote.Choice
    }
    return " ".join(f"{choice.label}: {', '.join(who)}." for choice, who in said.items() if who)


def _uncounted(motion: Motion) -> str:
    """How it was decided, where no vote was counted."""
    if motion.way == Motion.Way.CONSENSUS:
        return _("Decided by consensus.")
    return _("By written consent.") if motion.number else _("Too few signed the written consent.")


def _filed(consent: Consent) -> Filed:
    motion, effective = consent.motion, consent.effective_at or consent.deadline
    return Filed(
        resolution=motion.resolution,
        title=one_line(motion.title),
        effective=timezone.localtime(effective).replace(second=0, microsecond=0),
        text_sha256=motion.text_sha256,
    )


def _person(row: Attendance) -> Person:
    times = (_clock(row.arrived_at), _clock(row.left_at))
    outside = tuple((_time(left), _time(back)) for left, back in row.spans)
    return Person(one_line(row.name), one_line(row.seat), Kind(row.kind), *times, outside)


def _item(item: AgendaItem, tasks: list[ActionItem], *, is_last: bool) -> Item:
    mine = [task for task in tasks if _belongs(task, item, is_last=is_last)]
    return Item(
        title=one_line(item.title),
        about=one_line(item.about),
        motion=item.motion.slug if item.motion else "",
        presenter=one_line(item.presenter),
        minutes=item.minutes,
        is_closed=item.is_closed,
        salt=item.salt if item.is_closed else "",
        result=one_line(result_of(item.motion)),
        text=tidy(item.record),
        tasks=tuple(
            Task(one_line(t.owner_name), one_line(t.text), t.due, t.done_at is not None)
            for t in mine
        ),
    )


def _belongs(task: ActionItem, item: AgendaItem, *, is_last: bool) -> bool:
    return task.agenda_item_id == item.pk or (is_last and task.agenda_item_id is None)


def _clock(moment: datetime | None) -> time | None:
    return _time(moment) if moment else None


def _time(moment: datetime) -> time:
    return timezone.localtime(moment).time().replace(second=0, microsecond=0)
