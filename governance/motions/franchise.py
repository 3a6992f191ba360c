"""Which members are on the roll of a vote: the register says who may, the rules who is active."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.utils import timezone

from governance.models import Affirmation, RosterSeat, Vote
from governance.tally.rules import Activity, Membership
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from portal.members.electorate import Candidate, of_organisations, of_person
from portal.members.models import Organisation


def active(candidates: Iterable[Candidate], rules: Membership, at: datetime) -> list[Candidate]:
    """Those of them who are on the roll by these rules, in the same order."""
    found = list(candidates)
    if rules.activity is Activity.NONE:
        return found
    affirmed = Affirmation.objects.last_days([each.key for each in found], at)
    voted = _voted_last(at)
    day = timezone.localdate(at)
    return [
        each
        for each in found
        if rules.is_active(
            day, affirmed_on=affirmed.get(each.key), voted_last=voted.get(_voter(each), True)
        )
    ]


def own_votes(user: User, at: datetime) -> list[Candidate]:
    """The votes of members that this person casts: their own, and those of their organisations."""
    asked = asked_of(user, at)
    return [each for each in asked if each.answer.may_vote and each.answer.voter == user.pk]


def asked_of(user: User, at: datetime) -> list[Candidate]:
    """The votes that a person could ask about, with the answers: cast by them or not."""
    owned = RoleGrant.objects.active_on(at).of(user).filter(role=Role.OWNER)
    slugs = owned.filter(scope_kind=Scope.ORGANISATION).values_list("scope_slug", flat=True)
    organisations = Organisation.objects.filter(slug__in=list(slugs)).order_by("name")
    return [*of_organisations(organisations, at), of_person(user, at)]


def _voter(candidate: Candidate) -> str:
    """An organisation by its address, a contributor by the account."""
    kind, _colon, name = candidate.key.partition(":")
    return f"organisation:{name}" if kind == "organisation" else f"user:{candidate.answer.voter}"


def _voted_last(at: datetime) -> dict[str, bool]:
    """Of everybody who ever was on a roll, whether they voted in the last vote they could."""
    rolls = RosterSeat.objects.filter(seat__isnull=True, motion__decided_at__lte=at)
    rolls = rolls.annotate(voted=Exists(Vote.objects.filter(voter=OuterRef("pk"))))
    organisations = rolls.filter(organisation__isnull=False)
    people = rolls.filter(organisation__isnull=True, user__isnull=False)
    told = {}
    for slug, voted in (
        organisations.order_by("organisation_id", "-motion__decided_at")
        .distinct("organisation_id")
        .values_list("organisation__slug", "voted")
    ):
        told[f"organisation:{slug}"] = voted
    for user, voted in (
        people.order_by("user_id", "-motion__decided_at")
        .distinct("user_id")
        .values_list("user_id", "voted")
    ):
        told[f"user:{user}"] = voted
    return told
