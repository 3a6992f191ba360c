"""Who belongs to a body without seats: a membership class, or the advisory list."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from django.urls import reverse

from governance.models import Body
from portal.members.electorate import eligible_voters
from portal.members.models import Contributor, Organisation, Subscriber

DIRECTORIES = {
    Body.Constituency.CONTRIBUTORS: "members:contributors",
    Body.Constituency.MEMBERS: "members:directory",
}


@dataclass(frozen=True, slots=True)
class Members:
    """How many belong to it at the end of a day, how many may vote, and where they are named."""

    belong: int
    vote: int
    organisations: int = 0  # that send them
    directory: str = ""


def members(body: Body, on: date) -> Members | None:
    """None for a body whose people hold seats."""
    at = datetime.combine(on, time.max, tzinfo=UTC)
    if body.kind == Body.Kind.MEMBERSHIP:
        return _class(Body.Constituency(body.constituency), at)
    if body.kind == Body.Kind.ADVISORY:
        return _advisory_list(at)
    return None


def _class(constituency: Body.Constituency, at: datetime) -> Members:
    voters = [
        voter
        for voter in eligible_voters(at)
        if voter.answer.constituency.value == constituency.value
    ]
    if constituency == Body.Constituency.CONTRIBUTORS:
        belong = Contributor.objects.active_on(at).count()
    else:
        belong = Organisation.objects.members_on(at).count()
    return Members(belong, len(voters), directory=reverse(DIRECTORIES[constituency]))


def _advisory_list(at: datetime) -> Members:
    seated = Subscriber.objects.seated(at)
    return Members(
        belong=seated.count(),
        vote=0,
        organisations=seated.order_by().values("organisation").distinct().count(),
    )
