"""What happened to a motion, from its rows: nothing is removed from it."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from governance.models import Motion, RosterSeat, Vote
from governance.reasons import in_words


@dataclass(frozen=True, slots=True)
class Event:
    at: datetime
    text: str


def events(motion: Motion) -> list[Event]:
    """Newest first. How somebody voted is told when the vote is over, not before."""
    told = [*_beginning(motion), *_votes(motion), *_end(motion)]
    told.sort(key=lambda event: event.at)
    told.reverse()
    return told


def _beginning(motion: Motion) -> list[Event]:
    told = [
        Event(motion.drafted_at, _("Proposed by %(name)s.") % {"name": motion.proposed_by}),
    ]
    if motion.seconded_at:
        told.append(
            Event(motion.seconded_at, _("Seconded by %(name)s.") % {"name": motion.seconded_by})
        )
    if motion.opened_at:
        words = {"name": motion.opened_by, "deadline": in_words(motion.deadline)}
        told.append(
            Event(
                motion.opened_at,
                _("Vote opened by %(name)s, deadline %(deadline)s.") % words,
            )
        )
    if motion.reminded_at:
        told.append(Event(motion.reminded_at, _("Those who had not voted were reminded.")))
    return told


def _votes(motion: Motion) -> list[Event]:
    return [event for voter in motion.roster.all() for event in _votes_of(voter, motion.is_decided)]


def _votes_of(voter: RosterSeat, tell: bool) -> list[Event]:
    told = []
    before: Vote | None = None
    for vote in voter.votes.all():
        told.append(Event(vote.cast_at, _vote(voter, vote, before, tell=tell)))
        before = vote
    return told


def _vote(voter: RosterSeat, vote: Vote, before: Vote | None, *, tell: bool) -> str:
    words = {"name": voter.name, "choice": vote.get_choice_display().lower()}
    if before is None:
        return (_("%(name)s voted: %(choice)s.") if tell else _("%(name)s voted.")) % words
    if not tell:
        return _("%(name)s voted again.") % words
    if before.choice == vote.choice:
        return _("%(name)s gave another reason for the same vote.") % words
    words["before"] = before.get_choice_display().lower()
    return _("%(name)s changed the vote from %(before)s to %(choice)s.") % words


def _end(motion: Motion) -> list[Event]:
    if motion.withdrawn_at:
        return [Event(motion.withdrawn_at, _("Withdrawn by who proposed it."))]
    if not motion.decided_at:
        return []
    words = {"resolution": motion.resolution}
    outcome = {
        Motion.State.ADOPTED: _("Carried as resolution %(resolution)s."),
        Motion.State.FAILED: _("Not carried."),
        Motion.State.VOID: _("No quorum: nothing was decided."),
    }[Motion.State(motion.state)] % words
    closed = (
        _("Vote closed early: the outcome could no longer change.")
        if motion.closed_early
        else _("Vote closed.")
    )
    return [Event(motion.decided_at, f"{closed} {outcome}")]
