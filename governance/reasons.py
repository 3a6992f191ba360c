"""Why somebody may not do something: None when they may, else a refusal that says who may, or when.

Actions raise it, and pages show its words before anybody tries.
"""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from governance.models import Body, Motion, RuleSet, Seat, SeatTerm
from governance.refusals import NotAllowed, Refusal
from portal.accounts.models import User

Visitor = User | AnonymousUser
OFFICES = [
    Seat.Office.CHAIR,
    Seat.Office.VICE_CHAIR,
    Seat.Office.SECRETARY,
    Seat.Office.TREASURER,
]


def votes_in(user: Visitor, body: Body, at: datetime) -> bool:
    """Whether `user` holds a voting seat of `body` on that day."""
    if not isinstance(user, User):
        return False
    day = timezone.localdate(at)
    return SeatTerm.objects.seated_on(day).voting().of(user).filter(seat__body=body).exists()


def is_officer(user: User, body: Body, at: datetime) -> bool:
    day = timezone.localdate(at)
    held = SeatTerm.objects.seated_on(day).of(user).filter(seat__body=body, seat__is_voting=False)
    return held.filter(seat__office__in=OFFICES).exists()


def not_to_propose(user: Visitor, body: Body, at: datetime) -> Refusal | None:
    return _not_one_of(RuleSet.Who.VOTERS, user, body, at)


def not_to_edit(user: Visitor, motion: Motion) -> Refusal | None:
    if motion.state != Motion.State.DRAFT:
        return Refusal(
            _("The text is frozen since the vote opened. Propose another motion to change it.")
        )
    return _not_the_proposer(user, motion)


def not_to_second(user: Visitor, motion: Motion, rules: RuleSet, at: datetime) -> Refusal | None:
    if motion.state != Motion.State.DRAFT:
        return Refusal(_("This is no draft any more; there is nothing left to second."))
    if motion.seconded_by_id is not None:
        return Refusal(_("%(name)s has seconded it already.") % {"name": motion.seconded_by})
    if user.pk == motion.proposed_by_id:
        return NotAllowed(
            _("You proposed this motion. Ask another member of the body to second it.")
        )
    return _not_one_of(rules.may_second, user, motion.body, at)


def not_to_open(user: Visitor, motion: Motion, rules: RuleSet, at: datetime) -> Refusal | None:
    if motion.state != Motion.State.DRAFT:
        return Refusal(_("This is no draft any more; a vote is opened once."))
    refusal = _not_one_of(rules.may_open, user, motion.body, at)
    if refusal is None and rules.needs_second and motion.seconded_by_id is None:
        return Refusal(_("It needs a second first. Ask another member of the body to second it."))
    return refusal


def not_to_withdraw(user: Visitor, motion: Motion, at: datetime) -> Refusal | None:
    if motion.state == Motion.State.WITHDRAWN:
        return Refusal(_("It was withdrawn already."))
    if motion.state != Motion.State.DRAFT and not motion.is_open(at):
        return Refusal(
            _("The vote is over. What was decided stands; propose another motion to change it.")
        )
    return _not_the_proposer(user, motion)


def not_to_vote(user: Visitor, motion: Motion, at: datetime) -> Refusal | None:
    """Why `user` cannot vote on `motion` at that moment."""
    if motion.opened_at is None:
        return Refusal(_("The vote has not been opened yet."))
    if motion.state == Motion.State.WITHDRAWN:
        return Refusal(_("The motion was withdrawn; there is nothing left to vote on."))
    if not motion.is_open(at):
        closed = in_words(motion.decided_at or motion.deadline)
        return Refusal(
            _("The vote closed on %(when)s. Votes after that do not count.") % {"when": closed}
        )
    if not isinstance(user, User):
        return NotAllowed(_("Sign in to vote, if you hold a voting seat."))
    if motion.roster.filter(user_id=user.pk).exists():
        return None
    return NotAllowed(_not_on_roster(user, motion, at))


def _not_on_roster(user: User, motion: Motion, at: datetime) -> str:
    words = {"body": motion.body, "when": in_words(motion.opened_at)}
    if votes_in(user, motion.body, at):
        return (
            _("You took your seat after the vote opened on %(when)s; the roster was frozen then.")
            % words
        )
    day = timezone.localdate(at)
    if SeatTerm.objects.seated_on(day).of(user).filter(seat__body=motion.body).exists():
        return _("Your seat in the body (%(body)s) has no vote.") % words
    return _("Only those who held a voting seat in the body (%(body)s) on %(when)s vote.") % words


def _not_the_proposer(user: Visitor, motion: Motion) -> Refusal | None:
    if user.pk == motion.proposed_by_id:
        return None
    return NotAllowed(
        _("Only %(name)s, who proposed it, can do this.") % {"name": motion.proposed_by}
    )


def _not_one_of(who: str, user: Visitor, body: Body, at: datetime) -> Refusal | None:
    if not isinstance(user, User) or not votes_in(user, body, at):
        return NotAllowed(
            _("Only those who hold a voting seat in the body (%(body)s) can do this.")
            % {"body": body}
        )
    if who == RuleSet.Who.OFFICERS and not is_officer(user, body, at):
        return NotAllowed(
            _("The rules leave this to the officers. Ask the chair or another officer.")
        )
    return None


def in_words(moment: datetime | None) -> str:
    """`20 Nov 2026, 18:00 UTC`."""
    return formats.date_format(timezone.localtime(moment), "j M Y, H:i e") if moment else ""
