"""A vote that a body gave in a meeting, written down by its secretary and counted at once."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock, reasons
from governance.actions import agenda
from governance.actions.closing import decide
from governance.actions.meeting import locked as locked_meeting
from governance.actions.motion import freeze, locked, rules_for
from governance.bylaws import opening as bylaws_opening
from governance.discussion import clock as discussion_clock
from governance.discussion import discussing
from governance.meetings.room import absent_voters, not_to_vote_in, room
from governance.models import Meeting, Motion, RosterSeat, RuleSet, Vote
from governance.refusals import Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit

Voices = Mapping[int, Vote.Choice]  # by the number of the seat; who is not named was absent


@transaction.atomic
def record_meeting_vote(
    *,
    actor: User,
    motion: Motion,
    voices: Voices,
    voted_at: datetime,
    meeting: Meeting | None = None,
    at: datetime | None = None,
) -> Motion:
    """Freeze text, rules and the roster of that moment, keep each voice, and decide.

    The second is given in the room, and the deadline is the meeting's own; days of discussion are
    asked as for any vote. Of a meeting that is on record only those vote who were there at that
    moment, unless the rules let others; the motion stands on its agenda afterwards.
    """
    motion = locked(motion)
    moment = clock.now(at)
    allowed(not_to_record(actor, motion, moment))
    if voted_at > moment:
        raise Refusal(_("A vote is recorded after it was given; choose an earlier time."))
    rules = rules_for(motion, voted_at, lock=True)
    allowed(too_early(motion, rules, voted_at))
    if meeting is not None:
        motion.meeting = _taken_up(meeting, motion, voted_at)
    seats = freeze(motion, actor=actor, rules=rules, at=voted_at, way=Motion.Way.MEETING)
    voted = _voted(seats, voices)
    allowed(_absent(motion, rules, voted, voted_at))
    Vote.objects.bulk_create(
        Vote(voter=seat, choice=voices[seat.number], cast_at=voted_at, recorded_by=actor)
        for seat in voted
    )
    audit.record(
        actor=actor,
        verb="motion.meeting_vote",
        subject=motion,
        meeting=meeting.slug if meeting else None,
        present=sorted(voices),
    )
    decide(motion, at=voted_at)
    return motion


def not_to_record(user: reasons.Visitor, motion: Motion, at: datetime) -> Refusal | None:
    if motion.state not in {Motion.State.DRAFT, Motion.State.DISCUSSION}:
        return Refusal(_("A vote was opened or given already, or the motion is on hold."))
    if motion.electorate != Motion.Electorate.BODY:
        return Refusal(_("This is put to members; it is voted on here, with a deadline."))
    return discussing.not_to_keep(user, motion, at) or discussion_clock.voted_on(motion)


def too_early(motion: Motion, rules: RuleSet, voted_at: datetime) -> Refusal | None:
    """Why it could not be voted on at that time yet."""
    if voted_at < max(motion.drafted_at, motion.discussed_at or motion.drafted_at):
        return Refusal(_("The motion was written after that time; choose a later one."))
    refusal = discussion_clock.too_early(motion, rules, voted_at)
    return refusal or bylaws_opening.not_to_open(motion, rules, voted_at)


def _taken_up(meeting: Meeting, motion: Motion, voted_at: datetime) -> Meeting:
    """The meeting, with the motion on its agenda."""
    meeting = locked_meeting(meeting)
    if meeting.body_id != motion.body_id:
        raise Refusal(_("That is a meeting of another body."))
    allowed(not_to_vote_in(meeting, voted_at))
    agenda.take_up(meeting, motion)
    return meeting


def _voted(seats: list[RosterSeat], voices: Voices) -> list[RosterSeat]:
    """The seats of those who voted; a voice of a seat that nobody held is a mistake."""
    filled = {seat.number: seat for seat in seats if seat.user_id is not None}
    unknown = sorted(set(voices) - set(filled))
    if unknown:
        raise Refusal(_("Nobody held seat %(number)s at that time.") % {"number": unknown[0]})
    if not voices:
        raise Refusal(_("Choose how those who were present voted."))
    return [filled[number] for number in voices]


def _absent(
    motion: Motion, rules: RuleSet, voted: list[RosterSeat], at: datetime
) -> Refusal | None:
    if motion.meeting is None:
        return None
    voters = [(seat.user_id or 0, seat.name) for seat in voted]
    names = absent_voters(room(motion.meeting, at), rules, voters)
    if not names:
        return None
    return Refusal(
        _("Not in the room at %(when)s, by the roll: %(names)s. Only who is there votes.")
        % {"when": clock.in_words(at), "names": names}
    )
