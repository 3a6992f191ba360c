"""What happened to a motion, from its rows: nothing is removed from it."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.discussion import amendments
from governance.models import Amendment, Motion, RosterSeat, Vote
from governance.motions import history_without_vote, rolls
from portal.lib.models import AuditEntry


@dataclass(frozen=True, slots=True)
class Event:
    at: datetime
    text: str


def events(motion: Motion) -> list[Event]:
    """Newest first. How somebody voted is told when the vote is over, not before."""
    told = [*_beginning(motion), *_discussion(motion), *_acts(motion)]
    told += [Event(at, text) for at, text in history_without_vote.told(motion)]
    told += [*_votes(motion), *_end(motion)]
    told.sort(key=lambda event: event.at)
    told.reverse()
    return told


def _beginning(motion: Motion) -> list[Event]:
    words: dict[str, object]
    told = [
        Event(motion.drafted_at, _("Proposed by %(name)s.") % {"name": motion.proposed_by}),
    ]
    told += [
        Event(second.given_at, _("Seconded by %(name)s.") % {"name": second.user})
        for second in motion.seconds.select_related("user")
    ]
    if motion.opened_at and motion.way == Motion.Way.MEETING:
        words = {"name": motion.opened_by}
        told.append(
            Event(motion.opened_at, _("Voted on in a meeting, recorded by %(name)s.") % words)
        )
    elif motion.opened_at and motion.way == Motion.Way.CONSENT:
        words = {"name": motion.opened_by}
        told.append(Event(motion.opened_at, _("Signatures asked for by %(name)s.") % words))
    elif motion.opened_at and motion.way == Motion.Way.VOTE:
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


def _discussion(motion: Motion) -> list[Event]:
    told = []
    words: dict[str, object]
    if motion.discussed_at:
        words = {"name": motion.discussed_by}
        told.append(Event(motion.discussed_at, _("Discussion opened by %(name)s.") % words))
    for each in amendments.of(motion):
        words = {"number": each.number, "name": each.proposed_by}
        proposed = _("Amendment %(number)s proposed by %(name)s.") % words
        told.append(Event(each.proposed_at, proposed))
        if each.decided_at:
            told.append(Event(each.decided_at, _answered(each)))
    return told


def _answered(amendment: Amendment) -> str:
    words = {"number": amendment.number, "state": amendment.get_state_display().lower()}
    if amendment.decided_by is None:
        return _("Amendment %(number)s %(state)s by a vote.") % words
    words["name"] = str(amendment.decided_by)
    return _("Amendment %(number)s %(state)s by %(name)s.") % words


def _acts(motion: Motion) -> list[Event]:
    """What leaves no date on the motion itself; the audit log has it."""
    entries = AuditEntry.objects.filter(
        subject_kind=motion._meta.label_lower, subject_id=str(motion.pk), verb__in=ACTS
    )
    return [Event(_when(entry), _act(entry)) for entry in entries.select_related("actor")]


def _when(entry: AuditEntry) -> datetime:
    said = entry.detail.get("moment")
    return datetime.fromisoformat(said) if said else entry.at


def _act(entry: AuditEntry) -> str:
    told = entry.detail
    words = {
        "name": entry.actor,
        "why": told.get("because", ""),
        "version": told.get("version", ""),
    }
    return {
        "motion.held": _("Put on hold by %(name)s: %(why)s"),
        "motion.resumed": _("Taken up again by %(name)s."),
        "motion.rebased": _("Brought up to version %(version)s by %(name)s."),
        "motion.redacted": _("A passage was taken out of public sight by %(name)s: %(why)s"),
    }[entry.verb] % words


ACTS = ("motion.held", "motion.resumed", "motion.rebased", "motion.redacted")


def _votes(motion: Motion) -> list[Event]:
    """Each, or of a long roll how many a day: the roll itself tells the rest."""
    if rolls.is_long(motion):
        told = _("%(count)s votes were given or changed until then on that day.")
        return [Event(at, told % {"count": count}) for at, count in rolls.votes_by_day(motion)]
    voters = rolls.roster(motion)
    return [event for voter in voters for event in _votes_of(voter, motion.is_decided)]


def _votes_of(voter: RosterSeat, tell: bool) -> list[Event]:
    told = []
    before: Vote | None = None
    for vote in voter.votes.all():
        told.append(Event(vote.cast_at, _vote(voter, vote, before, tell=tell)))
        before = vote
    return told


def _vote(voter: RosterSeat, vote: Vote, before: Vote | None, *, tell: bool) -> str:
    words = {"name": voter.label, "choice": vote.get_choice_display().lower()}
    if before is None:
        return (_("%(name)s voted: %(choice)s.") if tell else _("%(name)s voted.")) % words
    if not tell:
        return _("%(name)s voted again.") % words
    if before.choice == vote.choice:
        return _("%(name)s gave another reason for the same vote.") % words
    words["before"] = before.get_choice_display().lower()
    return _("%(name)s changed the vote from %(before)s to %(choice)s.") % words


def _end(motion: Motion) -> list[Event]:
    if motion.lapsed_at:
        return [Event(motion.lapsed_at, _("Lapsed: nobody spoke about it any more."))]
    if motion.withdrawn_at:
        return [Event(motion.withdrawn_at, _("Withdrawn by who proposed it."))]
    if not motion.decided_at:
        return []
    outcome = _outcome(motion)
    if motion.way != Motion.Way.VOTE:
        return [Event(motion.decided_at, outcome)]
    closed = (
        _("Vote closed early: the outcome could no longer change.")
        if motion.closed_early
        else _("Vote closed.")
    )
    return [Event(motion.decided_at, f"{closed} {outcome}")]


def _outcome(motion: Motion) -> str:
    words = {"resolution": motion.resolution}
    if motion.number:
        return _("Carried as resolution %(resolution)s.") % words
    return {
        Motion.State.ADOPTED: _("Carried."),
        Motion.State.FAILED: _("Not carried."),
        Motion.State.VOID: _("No quorum: nothing was decided."),
    }[Motion.State(motion.state)]
