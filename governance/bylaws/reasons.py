"""Why somebody may not do something with bylaws: None when they may; see `reasons`."""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import reasons
from governance.discussion import discussing
from governance.discussion.clock import voted_on
from governance.models import Body, ClauseComment, Motion, Proposal, SeatTerm, Typo
from governance.refusals import NotAllowed, Refusal
from portal.accounts.models import User
from portal.members.electorate import of_organisations, of_person
from portal.members.models import Organisation

Visitor = User | AnonymousUser
CHANGEABLE = {Motion.State.DRAFT, Motion.State.DISCUSSION, Motion.State.ON_HOLD}


def not_to_comment(user: Visitor, proposal: Proposal, at: datetime) -> Refusal | None:
    """Anyone reads; those who vote, or sit in a body, say something, while it is discussed."""
    if proposal.motion.state != Motion.State.DISCUSSION:
        return Refusal(_("Comments are open while a proposal is in discussion."))
    if not isinstance(user, User):
        return NotAllowed(_("Sign in to comment, if you are a member."))
    if _takes_part(user, at):
        return None
    return NotAllowed(
        _(
            "Members comment: contributors, who speaks for a member organisation, and those who"
            " sit in a body."
        )
    )


def not_to_rebase(user: Visitor, proposal: Proposal, at: datetime) -> Refusal | None:
    """Why `user` cannot bring the proposal up to the version that was adopted since."""
    motion = proposal.motion
    if motion.state not in CHANGEABLE:
        return Refusal(_("The text is frozen since the vote opened."))
    newest = proposal.bylaws.versions.first()
    if newest is None or newest.pk == proposal.base_id:
        return Refusal(_("It changes the newest version already."))
    return discussing.not_the_proposer_or_keeper(user, motion, at) or voted_on(motion)


def not_to_hide(user: Visitor, comment: ClauseComment, at: datetime) -> Refusal | None:
    if user.pk == comment.author_id:
        return None
    return _not_a_moderator(user, comment.proposal.bylaws.body, at)


def not_to_show(user: Visitor, comment: ClauseComment, at: datetime) -> Refusal | None:
    if user.pk == comment.author_id and comment.hidden_by_id == comment.author_id:
        return None
    if user.pk == comment.author_id:
        return NotAllowed(_("Who moderates hid it. Ask them to show it again."))
    return _not_a_moderator(user, comment.proposal.bylaws.body, at)


def not_to_decide_typo(user: Visitor, typo: Typo, at: datetime) -> Refusal | None:
    if typo.decided_at is not None:
        return Refusal(_("It was decided already."))
    if user.pk == typo.reported_by_id:
        return NotAllowed(_("You reported it. Another officer decides."))
    return _not_a_moderator(user, typo.version.bylaws.body, at)


def moderates(user: Visitor, body: Body, at: datetime) -> bool:
    """Staff, and the officers and the secretary of the body."""
    if not isinstance(user, User):
        return False
    keeps = Body.objects.kept_by(user, at).filter(pk=body.pk).exists()
    return keeps or reasons.is_officer(user, body, at)


def _takes_part(user: User, at: datetime) -> bool:
    seats = SeatTerm.objects.seated_on(timezone.localdate(at)).of(user)
    return (
        seats.exists()
        or Body.objects.kept_by(user, at).exists()
        or of_person(user, at).answer.may_vote
        or any(each.answer.may_vote for each in of_organisations(_own(user, at), at))
    )


def _own(user: User, at: datetime) -> QuerySet[Organisation]:
    return Organisation.objects.of(user, at)


def _not_a_moderator(user: Visitor, body: Body, at: datetime) -> Refusal | None:
    if moderates(user, body, at):
        return None
    return NotAllowed(_("Staff and the officers of the body (%(body)s) do this.") % {"body": body})
