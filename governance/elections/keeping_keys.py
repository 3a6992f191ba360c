"""The keys of an election: who still has to do what before it can be frozen, and after the close.

Scrutineers each hold a share of the key that opens the ballots; two officers sign what is fixed
and hold the hidden numbers of the lot. All private halves are in their files, none is here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.elections.running import Visitor
from governance.models import Candidacy, Election, ElectionOfficer, RollEntry, Scrutineer
from governance.refusals import NotAllowed, Refusal
from governance.sealed import manifest
from portal.accounts.models import User


@dataclass(frozen=True, slots=True)
class Todo:
    """Something that has to be done before the manifest can be written; None: by the office."""

    text: str
    by: str = ""


def missing(election: Election, at: datetime) -> list[Todo]:
    """What still stands between the election and its manifest."""
    return [
        *_of_windows(election, at),
        *_of_objections(election),
        *_of_contests(election),
        *_of_officers(election),
        *(_of_scrutineers(election) if election.is_sealed else []),
    ]


def _of_windows(election: Election, at: datetime) -> list[Todo]:
    found = []
    if election.elects_people and at < election.nominations_close_at:
        found.append(Todo(_("Nominations are still open.")))
    if election.roll_drawn_at is None:
        found.append(Todo(_("The roll is not drawn yet.")))
    if at < election.objections_close_at:
        found.append(Todo(_("Objections to the roll are still taken.")))
    if at >= election.opens_at:
        found.append(Todo(_("Voting was to be open by now. Move the dates.")))
    return found


def _of_objections(election: Election) -> list[Todo]:
    open_ones = sum(
        contest.objections.filter(answer="").count() for contest in election.contests.all()
    )
    if not open_ones:
        return []
    words = ngettext(
        "%(count)s objection waits for its ruling.",
        "%(count)s objections wait for their ruling.",
        open_ones,
    )
    return [Todo(words % {"count": open_ones})]


def _of_contests(election: Election) -> list[Todo]:
    found = []
    for contest in election.contests.all():
        if not contest.is_question and not contest.candidacies.standing().exists():
            found.append(Todo(_("Nobody stands in “%(contest)s”.") % {"contest": contest}))
        if not RollEntry.objects.standing().filter(contest=contest).exists():
            found.append(Todo(_("Nobody is on the roll of “%(contest)s”.") % {"contest": contest}))
    return found


def _of_officers(election: Election) -> list[Todo]:
    officers = list(election.officers.all())
    if len(officers) < manifest.OFFICERS:
        return [Todo(_("Two officers have to be named, who sign the manifest."))]
    return [Todo(_("Make your key."), each.name) for each in officers if not each.key]


def _of_scrutineers(election: Election) -> list[Todo]:
    scrutineers = list(election.scrutineers.all())
    if len(scrutineers) < election.shares_needed:
        return [
            Todo(
                _("%(needed)s scrutineers are needed, %(here)s are named.")
                % {"needed": election.shares_needed, "here": len(scrutineers)}
            )
        ]
    found = [Todo(_("Make your key."), each.name) for each in scrutineers if not each.key]
    if found:
        return found
    if not election.election_key:
        return [Todo(_("The election key is not made and split yet."))]
    return [
        Todo(_("Check your share."), each.name) for each in scrutineers if each.confirmed_at is None
    ]


def holds_key(person: User, election: Election) -> bool:
    """Whether the person is named as scrutineer, or as officer who signs."""
    holders = (election.scrutineers, election.officers)
    return any(each.filter(user=person).exists() for each in holders)


def not_to_hold(election: Election, people: Sequence[User]) -> Refusal | None:
    """Why these people cannot hold keys: who opens the ballots or signs what is fixed has no part
    in who wins.
    """
    own = Candidacy.objects.filter(contest__election=election, user__in=people)
    names = own.accepted().order_by("name").values_list("name", flat=True).distinct()
    if not names:
        return None
    return Refusal(
        _("Who stands in an election holds no key of it. Name somebody else for: %(names)s.")
        % {"names": ", ".join(names)}
    )


def not_to_make_key(holder: Scrutineer | ElectionOfficer, user: Visitor) -> Refusal | None:
    if user.pk != holder.user_id:
        return NotAllowed(_("Only %(name)s makes this key.") % {"name": holder.name})
    if holder.election.state != Election.State.ANNOUNCED:
        return Refusal(_("The keys are fixed in the manifest."))
    if isinstance(holder, Scrutineer) and holder.sealed_share:
        return Refusal(
            _(
                "A share was sealed to your key already. If your file is lost, say so to who runs "
                "the election: the key is made and split anew then."
            )
        )
    return None


def not_to_deal(election: Election) -> Refusal | None:
    """Why the election key cannot be made and split now."""
    if election.state != Election.State.ANNOUNCED:
        return Refusal(_("The keys are fixed in the manifest."))
    without = [each.name for each in election.scrutineers.all() if not each.key]
    if without:
        return Refusal(
            _("These scrutineers have not made their key yet: %(names)s.")
            % {"names": ", ".join(without)}
        )
    if election.scrutineers.count() < election.shares_needed:
        return Refusal(_("More scrutineers are needed than are named."))
    return None


def not_to_sign(officer: ElectionOfficer, user: Visitor) -> Refusal | None:
    if user.pk != officer.user_id:
        return NotAllowed(_("Only %(name)s signs here.") % {"name": officer.name})
    if officer.election.state != Election.State.PREPARED:
        return Refusal(_("There is no manifest that waits for a signature."))
    if officer.signature:
        return Refusal(_("You have signed it already."))
    return None


def not_to_tell(holder: Scrutineer | ElectionOfficer, user: Visitor) -> Refusal | None:
    """A share or a hidden number is told after the close alone."""
    if user.pk != holder.user_id:
        return NotAllowed(_("Only %(name)s tells this.") % {"name": holder.name})
    if holder.election.state != Election.State.CLOSED:
        return Refusal(_("This is told when voting is closed, and before the count."))
    return None
