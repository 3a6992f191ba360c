"""The discussion of a motion: who takes part, and what stands against each act."""

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from governance import reasons
from governance.discussion.clock import stale, voted_on
from governance.models import Amendment, Body, Motion, RuleSet, SeatTerm
from governance.reasons import Visitor
from governance.refusals import NotAllowed, Refusal
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from portal.members import electorate
from portal.members.models import Organisation

TALKED_ABOUT = {Motion.State.DISCUSSION, Motion.State.OPEN}


def takes_part(user: Visitor, motion: Motion, at: datetime) -> bool:
    """Whether `user` belongs to the body, or votes on the motion as a member."""
    if not isinstance(user, User):
        return False
    return (
        belongs(user, motion.body, at)
        or motion.roster.filter(user_id=user.pk).exists()
        or is_elector(user, motion.electorate, at)
    )


def belongs(user: User, body: Body, at: datetime) -> bool:
    """Whether `user` sits in the body, with a vote or without, or keeps its record."""
    seated = SeatTerm.objects.seated_on(timezone.localdate(at)).of(user).filter(seat__body=body)
    return seated.exists() or keeps(user, body, at)


def keeps(user: Visitor, body: Body, at: datetime) -> bool:
    """Whether `user` keeps the record of the body: its secretary, or staff."""
    if not isinstance(user, User):
        return False
    return user.is_staff or Body.objects.kept_by(user, at).filter(pk=body.pk).exists()


def is_elector(user: User, who: str, at: datetime) -> bool:
    """Whether `user` would vote on what is put to contributors or corporate members now."""
    if who == Motion.Electorate.CONTRIBUTORS:
        return electorate.of_person(user, at).answer.may_vote
    if who == Motion.Electorate.MEMBERS:
        owned = RoleGrant.objects.active_on(at).of(user).filter(role=Role.OWNER)
        slugs = owned.filter(scope_kind=Scope.ORGANISATION).values("scope_slug")
        mine = Organisation.objects.filter(slug__in=slugs)
        return any(each.answer.may_vote for each in electorate.of_organisations(mine, at))
    return False


def not_to_discuss(user: Visitor, motion: Motion, rules: RuleSet, at: datetime) -> Refusal | None:
    """Why `user` cannot open the discussion of a draft."""
    if motion.state != Motion.State.DRAFT:
        return Refusal(_("This is no draft any more; its discussion is opened once."))
    return reasons.not_by_rules(user, motion, rules, at)


def not_to_comment(user: Visitor, motion: Motion, at: datetime) -> Refusal | None:
    if motion.state not in TALKED_ABOUT:
        return Refusal(_("This motion is not being discussed now."))
    if not isinstance(user, User):
        return NotAllowed(_("Sign in to take part, if you sit in the body or vote on this."))
    if not takes_part(user, motion, at):
        return NotAllowed(
            _("Everybody reads this discussion; those who sit in the body (%(body)s) write in it.")
            % {"body": motion.body}
        )
    return None


def not_to_amend(user: Visitor, motion: Motion, at: datetime) -> Refusal | None:
    """Why `user` cannot propose another text."""
    if motion.state != Motion.State.DISCUSSION:
        return Refusal(_("Amendments are proposed while a motion is discussed, before its vote."))
    return not_to_comment(user, motion, at)


def is_past(motion: Motion) -> bool:
    """Whether it was put to the vote or ended: its amendments are answered no more."""
    before = {Motion.State.DRAFT, Motion.State.DISCUSSION, Motion.State.ON_HOLD}
    return motion.state not in before


def not_to_answer(user: Visitor, amendment: Amendment) -> Refusal | None:
    """Why `user` cannot accept or reject an amendment: whose text it changes may."""
    if amendment.motion.state != Motion.State.DISCUSSION:
        return Refusal(_("The motion is not being discussed now."))
    if amendment.state != Amendment.State.OPEN:
        return Refusal(_("This amendment is not open any more."))
    author = amendment.parent.proposed_by if amendment.parent else amendment.motion.proposed_by
    if user.pk != author.pk:
        return NotAllowed(
            _("Only %(name)s, whose text it changes, can do this.") % {"name": author}
        )
    return None


def not_to_accept(user: Visitor, amendment: Amendment) -> Refusal | None:
    refusal = not_to_answer(user, amendment)
    return refusal or stale(amendment) or voted_on(amendment.motion)


def not_to_put(user: Visitor, amendment: Amendment, rules: RuleSet, at: datetime) -> Refusal | None:
    """Why `user` cannot put an amendment to the vote of the body."""
    if amendment.motion.state != Motion.State.DISCUSSION:
        return Refusal(_("The motion is not being discussed now."))
    if amendment.state not in {Amendment.State.OPEN, Amendment.State.REJECTED}:
        return Refusal(_("This amendment is not open any more."))
    refusal = reasons.not_one_of(rules.may_open, user, amendment.motion.body, at)
    return refusal or stale(amendment) or voted_on(amendment.motion)


def not_to_hold(user: Visitor, motion: Motion, at: datetime) -> Refusal | None:
    if motion.state not in {Motion.State.DRAFT, Motion.State.DISCUSSION}:
        return Refusal(_("Only a draft or a discussion can be put on hold."))
    return not_the_proposer_or_keeper(user, motion, at) or voted_on(motion)


def not_to_resume(user: Visitor, motion: Motion, at: datetime) -> Refusal | None:
    if motion.state != Motion.State.ON_HOLD:
        return Refusal(_("This motion is not on hold."))
    return not_the_proposer_or_keeper(user, motion, at)


def not_to_keep(user: Visitor, motion: Motion, at: datetime) -> Refusal | None:
    """Why `user` cannot hide comments, take passages out, or record what a meeting voted."""
    if isinstance(user, User) and keeps(user, motion.body, at):
        return None
    return NotAllowed(
        _("Only the secretary of the body (%(body)s) or staff can do this.") % {"body": motion.body}
    )


def not_the_proposer_or_keeper(user: Visitor, motion: Motion, at: datetime) -> Refusal | None:
    if user.pk == motion.proposed_by_id:
        return None
    return not_to_keep(user, motion, at) and NotAllowed(
        _("Only %(name)s, who proposed it, the secretary or staff can do this.")
        % {"name": motion.proposed_by}
    )
