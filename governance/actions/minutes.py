"""Keeping the record of a meeting, putting it before the body, moving that it is approved."""

import secrets
from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.filing import file_consents
from governance.actions.meeting import locked
from governance.actions.motion import draft_motion
from governance.meetings import access, compose, letters
from governance.meetings.lines import tidy
from governance.meetings.reading import faults_of
from governance.meetings.sealing import text_hash
from governance.meetings.words import in_words
from governance.meetings.writing import write
from governance.models import AgendaItem, Body, Meeting, Minutes, Motion, RuleSet
from governance.models.rule_set.version import USUAL_SUBJECT
from governance.refusals import NotAllowed, Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit, languages


class ChangedMeanwhile(Refusal):
    """Somebody else saved the record since this person read it."""


@transaction.atomic
def keep_record(
    *,
    actor: User | None,
    meeting: Meeting,
    opened_at: datetime | None,
    closed_at: datetime | None,
    records: Mapping[int, str],
    seen: int,
    at: datetime | None = None,
) -> Meeting:
    """What was said of each item, by its key. `seen` is the version of the record that was read
    before: who saves second is told, and nothing is overwritten.
    """
    meeting = _kept(actor, meeting, at)
    if seen != meeting.record_version:
        raise ChangedMeanwhile(_("Somebody saved the record meanwhile."))
    if closed_at and (opened_at is None or closed_at < opened_at):
        raise Refusal(_("The meeting is adjourned after it was called to order."))
    for item in meeting.agenda.filter(pk__in=records):
        _write(item, records[item.pk])
    meeting.opened_at, meeting.closed_at = opened_at, closed_at
    meeting.record_version += 1
    meeting.save(update_fields=["opened_at", "closed_at", "record_version"])
    audit.record(actor=actor, verb="record.kept", subject=meeting, version=meeting.record_version)
    return meeting


def not_to_submit(meeting: Meeting, at: datetime) -> Refusal | None:
    """Why the record cannot be put before the body now."""
    if not meeting.is_over(at) and meeting.closed_at is None:
        return Refusal(_("The meeting is not over. Note when it was adjourned, or wait."))
    if not meeting.attendance.exists():
        return Refusal(_("Nobody is on the roll yet. Note first who was there."))
    if not meeting.agenda.exists():
        return Refusal(_("The agenda is empty; there is nothing to minute."))
    last = meeting.minutes.select_related("motion").first()
    if last is not None and last.state == Minutes.State.PROPOSED:
        return Refusal(_("The last version is being decided on. Wait for the outcome."))
    if last is None or last.state == Minutes.State.REFUSED:
        return None
    if last.text == write(compose.document_of(meeting)):
        return Refusal(_("Nothing changed since the last version."))
    return None


@transaction.atomic
def submit_minutes(
    *, actor: User | None, meeting: Meeting, note: str = "", at: datetime | None = None
) -> Minutes:
    """Freeze the record as a version and tell the body. A correction says what it corrects. What
    the body decided in writing since the meeting before is filed with it.
    """
    meeting = _kept(actor, meeting, at)
    Body.objects.select_for_update().get(pk=meeting.body_id)  # nobody else files its consents
    moment = clock.now(at)
    allowed(not_to_submit(meeting, moment))
    last = meeting.minutes.first()
    if last is not None and not note.strip():
        raise Refusal(_("Say what changed since the last version."))
    _salt(meeting)
    document = compose.document_of(meeting)
    minutes = Minutes.objects.create(
        meeting=meeting,
        number=last.number + 1 if last else 1,
        text=write(document),
        text_sha256=text_hash(document),
        note=note.strip(),
        submitted_at=moment,
        submitted_by=actor,
    )
    file_consents(meeting, moment)
    letters.minutes_submitted(minutes, at=moment)
    audit.record(
        actor=actor,
        verb="minutes.submitted",
        subject=minutes,
        number=minutes.number,
        sha256=minutes.text_sha256,
    )
    return minutes


def not_to_move(user: access.Visitor, minutes: Minutes, at: datetime) -> Refusal | None:
    """Why `user` cannot move that these minutes are approved."""
    if minutes.meeting.minutes.filter(number__gt=minutes.number).exists():
        return Refusal(_("There is a newer version of these minutes."))
    if minutes.state == Minutes.State.REFUSED:
        return Refusal(_("The body did not approve them. Correct them and submit them again."))
    if minutes.motion is not None:
        return Refusal(_("Their approval was moved already."))
    if not access.access(user, minutes.meeting.body, at).votes:
        return NotAllowed(_("Somebody with a voting seat moves that the minutes are approved."))
    return None


@transaction.atomic
def move_approval(*, actor: User, minutes: Minutes, at: datetime | None = None) -> Motion:
    """A motion of the body that approves this version; it is decided like any other."""
    moment = clock.now(at)
    meeting = locked(minutes.meeting)
    minutes = meeting.minutes.select_related("motion", "meeting__body").get(pk=minutes.pk)
    allowed(not_to_move(actor, minutes, moment))
    with languages.of_record():
        named = {"title": meeting.title, "day": in_words(meeting.begins_at)}
        title = _("Approve the minutes of %(day)s") % named
        summary = _("The record of: %(title)s.") % named
    motion = draft_motion(
        actor=actor,
        body=meeting.body,
        subject=_subject(meeting, moment),
        title=title if minutes.number == 1 else f"{title} ({minutes.number})",
        summary=summary[:300],
        text=_approval_text(minutes),
        at=moment,
    )
    minutes.motion = motion
    minutes.save(update_fields=["motion"])
    audit.record(actor=actor, verb="minutes.moved", subject=minutes, motion=motion.slug)
    return motion


@languages.for_the_record
def _approval_text(minutes: Minutes) -> str:
    """What the motion says: which text, by its hash; closed sessions are not told here."""
    named = {
        "number": minutes.number,
        "title": minutes.meeting.title,
        "day": in_words(minutes.meeting.begins_at),
        "address": minutes.get_absolute_url(),
        "hash": minutes.text_sha256,
    }
    said = _(
        "The minutes of the meeting “%(title)s” of %(day)s are approved as they stand in"
        " [version %(number)s](%(address)s), whose SHA-256 is `%(hash)s`."
    )
    correction = [f"> {minutes.note}"] if minutes.note else []
    return "\n\n".join([said % named, *correction])


def _salt(meeting: Meeting) -> None:
    """Every closed session has a salt before its hash is published, and keeps it."""
    for item in meeting.agenda.filter(is_closed=True, salt=""):
        item.salt = secrets.token_hex(16)
        item.save(update_fields=["salt"])


def _subject(meeting: Meeting, at: datetime) -> str:
    """The rules that the body decides ordinary questions by, or its first ones."""
    rules = RuleSet.objects.of_body(meeting.body, timezone.localdate(at))
    return rules.subject if rules else USUAL_SUBJECT


def _write(item: AgendaItem, text: str) -> None:
    text = tidy(text)
    if faults_of(text):
        raise Refusal(
            _("The record of “%(title)s” has a heading or code that would break the minutes.")
            % {"title": item.title}
        )
    item.record = text
    item.save(update_fields=["record"])


def _kept(actor: User | None, meeting: Meeting, at: datetime | None) -> Meeting:
    fresh = locked(meeting)
    allowed(access.not_to_keep(actor, fresh, clock.now(at)))
    return fresh
