"""Seating people and ending their terms. Seat and role are written together, here only."""

from datetime import UTC, date, datetime, time

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from governance.models import Body, Motion, Seat, SeatTerm
from governance.models.seat import SeatTermQuerySet
from governance.refusals import Refusal
from portal.accounts.actions.role import grant_role, revoke_role
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Scope
from portal.lib import audit


@transaction.atomic
def seat_person(
    *,
    actor: User | None,
    seat: Seat,
    user: User,
    since: date,
    until: date | None = None,
    affiliation: str = "",
    decided_by: Motion | None = None,
) -> SeatTerm:
    """Give the seat to a person for a term; the holder of a voting seat gets the body's role.

    Refuses a seat that is held in that time, and a second voting seat of the same body.
    """
    Body.objects.select_for_update().get(pk=seat.body_id)
    check_seat(seat=seat, user=user, since=since, until=until)
    term = SeatTerm.objects.create(
        seat=seat,
        user=user,
        since=since,
        until=until,
        affiliation=affiliation,
        decided_by=decided_by,
    )
    if seat.is_voting:
        _grant(actor=actor, term=term)
    audit.record(
        actor=actor,
        verb="seat.taken",
        subject=term,
        since=since.isoformat(),
        until=until.isoformat() if until else None,
    )
    return term


def check_seat(*, seat: Seat, user: User, since: date, until: date | None) -> None:
    """Refuse what `seat_person` would refuse."""
    held = _overlapping(SeatTerm.objects.filter(seat=seat), since, until).first()
    if held is not None:
        raise Refusal(
            _("%(name)s holds this seat in that time. End that term first.") % {"name": held.user}
        )
    others = SeatTerm.objects.voting().of(user).filter(seat__body=seat.body_id)
    if seat.is_voting and _overlapping(others, since, until).exists():
        raise Refusal(
            _("%(name)s holds another voting seat here. One person has one vote.") % {"name": user}
        )


@transaction.atomic
def end_term(*, actor: User | None, term: SeatTerm, on: date) -> SeatTerm:
    """The first day without them is `on`; the seat is vacant from then."""
    body = Body.objects.select_for_update().get(seats=term.seat_id)
    if on <= term.since:
        raise Refusal(_("A term ends after it begins; choose a later day."))
    SeatTerm.objects.filter(pk=term.pk).update(until=on)
    term.until = on
    if term.seat.is_voting:
        revoke_role(
            actor=actor,
            user=term.user,
            role=body.role,
            scope_kind=Scope.BODY,
            scope_slug=body.slug,
            at=midnight(on),
        )
    audit.record(actor=actor, verb="seat.left", subject=term, on=on.isoformat())
    return term


def correct_roles(*, at: datetime) -> int:
    """Make the roles of every body match its voting seats at that moment; how many were wrong."""
    return sum(_correct(body, at=at) for body in Body.objects.all())


@transaction.atomic
def _correct(body: Body, *, at: datetime) -> int:
    Body.objects.select_for_update().get(pk=body.pk)
    day = timezone.localdate(at)
    terms = SeatTerm.objects.seated_on(day).voting().filter(seat__body=body).select_related("user")
    seated = {term.user_id: term for term in terms}
    grants = RoleGrant.objects.active_on(at).filter(
        role=body.role, scope_kind=Scope.BODY, scope_slug=body.slug
    )
    granted = {grant.user_id: grant.user for grant in grants.select_related("user")}
    for missing in seated.keys() - granted.keys():
        _grant(actor=None, term=seated[missing], since=at)
    for surplus in granted.keys() - seated.keys():
        revoke_role(
            actor=None,
            user=granted[surplus],
            role=body.role,
            scope_kind=Scope.BODY,
            scope_slug=body.slug,
            at=at,
        )
    return len(seated.keys() ^ granted.keys())


def _grant(*, actor: User | None, term: SeatTerm, since: datetime | None = None) -> None:
    """The role for the length of the term; who has it in that time already keeps what they have,
    and the sweep mends what that leaves open.
    """
    body = term.seat.body
    begins = since or midnight(term.since)
    ends = midnight(term.until) if term.until else None
    held = RoleGrant.objects.of(term.user).exclude(until__lte=begins)
    if ends is not None:
        held = held.filter(since__lt=ends)
    if held.filter(role=body.role, scope_kind=Scope.BODY, scope_slug=body.slug).exists():
        return
    grant_role(
        actor=actor,
        user=term.user,
        role=body.role,
        scope_kind=Scope.BODY,
        scope_slug=body.slug,
        since=begins,
        until=ends,
        reason=str(term.seat),
    )


def _overlapping(terms: SeatTermQuerySet, since: date, until: date | None) -> SeatTermQuerySet:
    later = terms.exclude(until__lte=since)
    return later.filter(since__lt=until) if until else later


def midnight(day: date) -> datetime:
    """When the day begins, in UTC."""
    return datetime.combine(day, time.min, tzinfo=UTC)
