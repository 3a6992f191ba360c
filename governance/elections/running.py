"""Who runs an election, and what still has to be done before it can go on."""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.models import Body, Candidacy, Contest, Election
from governance.models.election import run_by
from governance.refusals import NotAllowed, Refusal
from portal.accounts.models import User

Visitor = User | AnonymousUser
EDITABLE = frozenset({Election.State.DRAFT, Election.State.ANNOUNCED})


def runs(user: Visitor, body: Body, at: datetime) -> bool:
    """Whether the person runs the elections of the body."""
    return run_by(user, at).filter(pk=body.pk).exists()


def not_to_run(user: Visitor, body: Body, at: datetime) -> Refusal | None:
    if runs(user, body, at):
        return None
    return NotAllowed(
        _("Elections are run by election officers, the secretary of the body and the staff.")
    )


def not_to_judge(user: Visitor, election: Election, at: datetime) -> Refusal | None:
    """Who runs an election rules on others in it, unless they stand in it themselves."""
    own = Candidacy.objects.filter(contest__election=election, user=user.pk or 0)
    if own.accepted().exists():
        return NotAllowed(
            _("You stand in this election. Somebody else who runs elections decides this.")
        )
    return not_to_run(user, election.body, at)


def not_to_edit(user: Visitor, election: Election, at: datetime) -> Refusal | None:
    if election.state not in EDITABLE:
        return Refusal(
            _(
                "What stands in the manifest does not change. Take the manifest back, or call off "
                "the election and announce another."
            )
        )
    return not_to_run(user, election.body, at)


def not_to_announce(user: Visitor, election: Election, at: datetime) -> Refusal | None:
    if election.state != Election.State.DRAFT:
        return Refusal(_("It has been announced already."))
    if not election.contests.exists():
        return Refusal(_("Add a contest first: who votes, for how many seats."))
    if election.elects_people and election.nominations_close_at <= at:
        return Refusal(
            _("Nominations would be over on %(when)s already. Move the dates.")
            % {"when": in_words(election.nominations_close_at)}
        )
    for contest in election.contests.all():
        refusal = not_with_seats(contest)
        if refusal is not None:
            return refusal
    return not_to_run(user, election.body, at)


def not_with_seats(contest: Contest) -> Refusal | None:
    """A contest that names seats names as many as it fills; a rehearsal names none."""
    named = contest.seats.count()
    if contest.election.is_rehearsal or not named or named == contest.places:
        return None
    return Refusal(
        _("%(contest)s: %(named)s seats are named and %(places)s are filled.")
        % {"contest": contest, "named": named, "places": contest.places}
    )


def not_to_cancel(user: Visitor, election: Election, at: datetime) -> Refusal | None:
    over = {Election.State.COUNTED, Election.State.DECLARED, Election.State.CANCELLED}
    if election.state in over:
        return Refusal(_("It is over. What was counted stays on record."))
    return not_to_run(user, election.body, at)
