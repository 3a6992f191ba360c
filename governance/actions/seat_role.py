"""The role that goes with a seat, for the length of its term; a sweep mends what drifted."""

from datetime import UTC, date, datetime, time

from django.db import transaction
from django.utils import timezone

from governance.models import Body, SeatTerm
from portal.accounts.actions.role import grant_role, revoke_role
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from portal.lib import languages


def give_role(*, actor: User | None, term: SeatTerm, since: datetime | None = None) -> None:
    """Give the role of the seat for its term. Who has it in that time keeps what they have, and
    the sweep mends what that leaves open.
    """
    role, body = term.seat.role, term.seat.body
    if role is None:
        return
    begins = since or midnight(term.since)
    ends = midnight(term.until) if term.until else None
    held = RoleGrant.objects.of(term.user).exclude(until__lte=begins)
    if ends is not None:
        held = held.filter(since__lt=ends)
    if held.filter(role=role, scope_kind=Scope.BODY, scope_slug=body.slug).exists():
        return
    with languages.of_record():
        reason = str(term.seat)
    grant_role(
        actor=actor,
        user=term.user,
        role=role,
        scope_kind=Scope.BODY,
        scope_slug=body.slug,
        since=begins,
        until=ends,
        reason=reason,
    )


def take_role(*, actor: User | None, term: SeatTerm, at: datetime) -> None:
    """The role of the seat ends at that moment."""
    if term.seat.role is not None:
        _revoke(actor, term.user, term.seat.role, term.seat.body, at)


def correct_roles(*, at: datetime) -> int:
    """Make the roles of every body match its seats at that moment; how many were wrong."""
    return sum(_correct(body, at=at) for body in Body.objects.all())


@transaction.atomic
def _correct(body: Body, *, at: datetime) -> int:
    Body.objects.select_for_update().get(pk=body.pk)
    terms = SeatTerm.objects.seated_on(timezone.localdate(at)).filter(seat__body=body)
    seated = list(terms.select_related("seat__body", "user"))
    roles = [role for role in (body.role, Role.SECRETARY) if role is not None]
    return sum(_correct_role(body, role, seated, at=at) for role in roles)


def _correct_role(body: Body, role: Role, terms: list[SeatTerm], *, at: datetime) -> int:
    seated = {term.user_id: term for term in terms if term.seat.role == role}
    grants = RoleGrant.objects.active_on(at).filter(
        role=role, scope_kind=Scope.BODY, scope_slug=body.slug
    )
    granted = {grant.user_id: grant.user for grant in grants.select_related("user")}
    for missing in seated.keys() - granted.keys():
        give_role(actor=None, term=seated[missing], since=at)
    for surplus in granted.keys() - seated.keys():
        _revoke(None, granted[surplus], role, body, at)
    return len(seated.keys() ^ granted.keys())


def _revoke(actor: User | None, user: User, role: Role, body: Body, at: datetime) -> None:
    revoke_role(
        actor=actor,
        user=user,
        role=role,
        scope_kind=Scope.BODY,
        scope_slug=body.slug,
        at=at,
    )


def midnight(day: date) -> datetime:
    """When the day begins, in UTC."""
    return datetime.combine(day, time.min, tzinfo=UTC)
