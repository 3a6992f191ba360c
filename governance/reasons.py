"""Why somebody may not do something: None when they may, else a refusal that says who may, or when.

Actions raise it, and pages show its words before anybody tries.
"""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.bylaws import opening as bylaws_opening
from governance.clock import in_words as in_words
from governance.discussion import clock as discussion_clock
from governance.models import Body, Motion, RuleSet, Seat, SeatTerm
from governance.motions import franchise
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
    return not_one_of(RuleSet.Who.VOTERS, user, body, at)


def not_to_edit(user: Visitor, motion: Motion) -> Refusal | None:
    if motion.state == Motion.State.DISCUSSION:
        return Refusal(_("The motion is being discussed: its text changes by amendments now."))
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
    if motion.seconds.filter(user_id=user.pk or 0).exists():
        return Refusal(_("You have seconded it already; others have to join you."))
    return not_one_of(rules.may_second, user, motion.body, at)


def not_by_rules(user: Visitor, motion: Motion, rules: RuleSet, at: datetime) -> Refusal | None:
    """Why `user` cannot bring the motion before the body: discussion or vote."""
    refusal = not_one_of(rules.may_open, user, motion.body, at)
    needed = seconds_needed(rules)
    if refusal is not None or not needed or motion.seconded_by_id is not None:
        return refusal
    missing = needed - motion.seconds.count()
    if needed == 1:
        return Refusal(_("It needs a second first. Ask another member of the body to second it."))
    return Refusal(
        ngettext(
            "It needs %(count)s more second. Ask other members of the body.",
            "It needs %(count)s more seconds. Ask other members of the body.",
            missing,
        )
        % {"count": missing}
    )


def not_to_open(user: Visitor, motion: Motion, rules: RuleSet, at: datetime) -> Refusal | None:
    if motion.state == Motion.State.ON_HOLD:
        return Refusal(_("It is on hold. Take it up again first."))
    if motion.state not in {Motion.State.DRAFT, Motion.State.DISCUSSION}:
        return Refusal(_("This is no draft any more; a vote is opened once."))
    sought = motion.consensuses.filter(state="sought").first()
    if sought is not None:
        return Refusal(
            _("The body seeks consensus on it until %(when)s.") % {"when": in_words(sought.until)}
        )
    refusal = not_by_rules(user, motion, rules, at)
    return (
        refusal
        or discussion_clock.too_early(motion, rules, at)
        or discussion_clock.voted_on(motion)
        or bylaws_opening.not_to_open(motion, rules, at)
    )


def not_to_supersede(motion: Motion, at: datetime) -> Refusal | None:
    """Why the motion cannot take the place of the resolution it names."""
    old = motion.supersedes
    if old is None:
        return None
    if old.body_id != motion.body_id:
        return Refusal(_("A body supersedes its own resolutions."))
    if old.superseded_by_id is not None or old.state != Motion.State.ADOPTED:
        return Refusal(
            _("Resolution %(number)s is not in force any more; nothing can take its place.")
            % {"number": old.resolution}
        )
    return None


def seconds_needed(rules: RuleSet) -> int:
    """How many others have to second a motion before the body takes it up."""
    return rules.discussion.seconds_needed


def not_to_withdraw(user: Visitor, motion: Motion, at: datetime) -> Refusal | None:
    if motion.state == Motion.State.WITHDRAWN:
        return Refusal(_("It was withdrawn already."))
    if motion.state == Motion.State.LAPSED:
        return Refusal(_("It has lapsed already."))
    is_signed = motion.state == Motion.State.OPEN and motion.way == Motion.Way.CONSENT
    if motion.opened_at is not None and not motion.is_open(at) and not is_signed:
        return Refusal(
            _("The vote is over. What was decided stands; propose another motion to change it.")
        )
    return _not_the_proposer(user, motion) or discussion_clock.voted_on(motion)


def not_to_vote(user: Visitor, motion: Motion, at: datetime) -> Refusal | None:
    """Why `user` cannot vote on `motion` at that moment."""
    if motion.opened_at is None:
        return Refusal(_("The vote has not been opened yet."))
    if motion.deadline is None:
        return Refusal(
            _("It is not decided by a vote here, but by %(way)s.")
            % {"way": motion.get_way_display()}
        )
    if motion.state == Motion.State.WITHDRAWN:
        return Refusal(_("The motion was withdrawn; there is nothing left to vote on."))
    if not motion.is_open(at):
        closed = in_words(motion.decided_at or motion.deadline)
        return Refusal(
            _("The vote closed on %(when)s. Votes after that do not count.") % {"when": closed}
        )
    if not isinstance(user, User):
        if motion.electorate == Motion.Electorate.BODY:
            return NotAllowed(_("Sign in to vote, if you hold a voting seat."))
        return NotAllowed(_("Sign in to vote, if you are on the roll below."))
    if motion.roster.filter(user_id=user.pk).exists():
        return None
    return NotAllowed(_not_on_roster(user, motion, at))


def _not_on_roll(user: User, motion: Motion) -> str:
    recorded = motion.record_at or motion.drafted_at
    own = franchise.own_votes(user, recorded)
    if any(each.answer.constituency.value == motion.electorate for each in own):
        return _(
            "You were not on the roll: by these rules it has only who said that they want to vote "
            "or voted last time. Say it now, for the votes to come."
        )
    return _("Only those who were on the roll of %(who)s on %(when)s vote.") % {
        "who": motion.get_electorate_display(),
        "when": in_words(recorded),
    }


def _not_on_roster(user: User, motion: Motion, at: datetime) -> str:
    words = {"body": motion.body, "when": in_words(motion.opened_at)}
    if motion.electorate != Motion.Electorate.BODY:
        return _not_on_roll(user, motion)
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


def not_one_of(who: str, user: Visitor, body: Body, at: datetime) -> Refusal | None:
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
