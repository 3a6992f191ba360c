"""Who may nominate, second, accept and leave, and why not."""

from datetime import datetime

from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.elections import keeping_keys
from governance.elections.running import Visitor, not_to_judge
from governance.models import Candidacy, Contest, Election
from governance.motions import franchise
from governance.refusals import NotAllowed, Refusal
from portal.accounts.models import User


def not_now(election: Election, at: datetime) -> Refusal | None:
    """Why nominations are not taken at the moment."""
    if election.takes_nominations(at):
        return None
    if election.state == Election.State.ANNOUNCED and at < election.nominations_open_at:
        return Refusal(
            _("Nominations open on %(when)s.") % {"when": in_words(election.nominations_open_at)}
        )
    return Refusal(
        _("Nominations closed on %(when)s.") % {"when": in_words(election.nominations_close_at)}
    )


def not_to_nominate(user: Visitor, contest: Contest, at: datetime) -> Refusal | None:
    """Nominated and seconded is by those who could vote in the constituency now."""
    if contest.is_question:
        return Refusal(_("A question is asked here: nobody stands."))
    return not_now(contest.election, at) or _not_in_constituency(user, contest, at)


def not_to_stand(person: Visitor, election: Election) -> Refusal | None:
    """Who opens the ballots or signs what is fixed has no part in who wins."""
    if isinstance(person, User) and keeping_keys.holds_key(person, election):
        return Refusal(
            _("%(name)s holds a key of this election, and who holds one does not stand in it.")
            % {"name": person}
        )
    return None


def not_to_second(user: Visitor, candidacy: Candidacy, at: datetime) -> Refusal | None:
    refusal = not_now(candidacy.contest.election, at)
    if refusal is not None:
        return refusal
    if candidacy.left_at is not None:
        return Refusal(_("%(name)s does not stand.") % {"name": candidacy.name})
    if user.pk in {candidacy.user_id, candidacy.nominated_by_id}:
        return NotAllowed(_("A second comes from somebody else than nominee and nominator."))
    if candidacy.supports.filter(user_id=user.pk or 0).exists():
        return Refusal(_("You have seconded it already."))
    return _not_in_constituency(user, candidacy.contest, at)


def not_to_accept(user: Visitor, candidacy: Candidacy, at: datetime) -> Refusal | None:
    if user.pk != candidacy.user_id:
        return NotAllowed(_("Only %(name)s can answer this nomination.") % {"name": candidacy.name})
    if candidacy.left_at is not None:
        return Refusal(_("You do not stand any more. Ask to be nominated again."))
    election = candidacy.contest.election
    return not_now(election, at) or not_to_stand(user, election)


def not_to_leave(user: Visitor, candidacy: Candidacy, at: datetime) -> Refusal | None:
    """Decline a nomination, or withdraw: until the ballots are opened."""
    if user.pk != candidacy.user_id:
        return NotAllowed(_("Only %(name)s can withdraw.") % {"name": candidacy.name})
    return _not_to_go(candidacy)


def not_to_disqualify(user: Visitor, candidacy: Candidacy, at: datetime) -> Refusal | None:
    return _not_to_go(candidacy) or not_to_judge(user, candidacy.contest.election, at)


def _not_to_go(candidacy: Candidacy) -> Refusal | None:
    if candidacy.left_at is not None:
        return Refusal(_("%(name)s does not stand any more.") % {"name": candidacy.name})
    election = candidacy.contest.election
    if election.counted_at is not None or election.state == Election.State.CANCELLED:
        return Refusal(_("The votes are counted. Who is elected may resign the seat instead."))
    return None


def _not_in_constituency(user: Visitor, contest: Contest, at: datetime) -> Refusal | None:
    if isinstance(user, User):
        own = franchise.own_votes(user, at)
        if any(each.answer.constituency.value == contest.constituency for each in own):
            return None
    return NotAllowed(
        _("Only who may vote among “%(who)s” nominates and seconds there.")
        % {"who": contest.get_constituency_display()}
    )
