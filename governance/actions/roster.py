"""Writing down who may vote when a vote opens; nothing changes it later."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from governance.bodies.affiliations import stated
from governance.models import Motion, RosterSeat, RuleSet, Seat, SeatTerm
from governance.motions import franchise
from governance.refusals import Refusal
from governance.tally.rules import Membership
from portal.members.electorate import Candidate, eligible_voters
from portal.members.models import Organisation


def record_date(motion: Motion, rules: RuleSet, at: datetime) -> datetime | None:
    """The moment at which members and contributors are asked for; a body is asked when it opens."""
    if motion.electorate == Motion.Electorate.BODY:
        return None
    return at - timedelta(days=rules.membership.record_days)


def freeze_roster(motion: Motion, moment: datetime) -> list[RosterSeat]:
    """Everybody who may vote on it, in order; refused where that is nobody."""
    if motion.electorate == Motion.Electorate.BODY:
        rows = _seats(motion, moment)
    else:
        rows = _roll(motion, motion.record_at or moment)
    if not any(row.user_id for row in rows):
        raise Refusal(_("Nobody holds a voting seat, so nobody could vote."))
    return RosterSeat.objects.bulk_create(rows)


def _seats(motion: Motion, moment: datetime) -> list[RosterSeat]:
    """The seats of the body; vacant ones are written too, because quorums count them."""
    day = timezone.localdate(moment)
    places = Seat.objects.filter(body=motion.body).voting().places(day)
    chairs = SeatTerm.objects.seated_on(day).filter(
        seat__body=motion.body, seat__office=Seat.Office.CHAIR
    )
    casting = set(chairs.values_list("user_id", flat=True))
    works_for = stated((place.term for place in places if place.term), day)
    return [
        RosterSeat(
            motion=motion,
            seat=place.seat,
            number=place.seat.number,
            user=place.term.user if place.term else None,
            name=str(place.term.user) if place.term else "",
            affiliation=works_for[place.term.user_id][:120] if place.term else "",
            constituency=place.seat.constituency,
            has_casting_vote=place.term is not None and place.term.user_id in casting,
        )
        for place in places
    ]


def eligible(electorate: str, at: datetime, rules: Membership | None = None) -> list[Candidate]:
    """The contributors or the organisations that may vote at the moment, in a fixed order; those
    alone that are active, where the rules ask for it.
    """
    everybody = eligible_voters(at)
    members = [each for each in everybody if each.answer.constituency.value == electorate]
    return franchise.active(members, rules or Membership(), at)


def would_vote(motion: Motion, rules: RuleSet, at: datetime) -> list[Candidate]:
    """The roll of members as it would be written if the vote opened now, counted by `rules`."""
    return eligible(motion.electorate, record_date(motion, rules, at) or at, rules.membership)


def _roll(motion: Motion, at: datetime) -> list[RosterSeat]:
    """Those who may vote at the moment; for an organisation, who speaks for it."""
    organisations = {each.slug: each for each in Organisation.objects.all()}
    rules = motion.rule_set.membership if motion.rule_set else None
    voters = eligible(motion.electorate, at, rules)
    return [
        _place(motion, number, candidate, organisations)
        for number, candidate in enumerate(voters, start=1)
    ]


def _place(
    motion: Motion, number: int, candidate: Candidate, organisations: dict[str, Organisation]
) -> RosterSeat:
    organisation = organisations.get(candidate.key.removeprefix("organisation:"))
    return RosterSeat(
        motion=motion,
        number=number,
        user_id=candidate.answer.voter,
        name=candidate.answer.voter_name,
        organisation=organisation,
        affiliation=organisation.name[:120] if organisation else "",
        constituency=candidate.answer.constituency.value,
    )
