"""Founding a body and giving it seats."""

from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from governance.actions.seat import end_term
from governance.models import Body, Motion, Seat, SeatTerm
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def save_body(*, actor: User | None, body: Body) -> Body:
    """Keep a new or changed body."""
    is_new = body.pk is None
    body.save()
    audit.record(actor=actor, verb="body.founded" if is_new else "body.changed", subject=body)
    return body


@transaction.atomic
def save_seat(*, actor: User | None, seat: Seat) -> Seat:
    """Keep a new or changed seat. Only where people vote has a seat a vote."""
    check_kept(seat=seat)
    is_new = seat.pk is None
    seat.save()
    audit.record(
        actor=actor,
        verb="seat.made" if is_new else "seat.changed",
        subject=seat,
        body=seat.body.slug,
        number=seat.number,
    )
    return seat


def check_kept(*, seat: Seat) -> None:
    """Refuse a seat that its body cannot have."""
    if seat.body.kind == Body.Kind.MEMBERSHIP:
        raise Refusal(_("A membership class has no seats: its members come from the register."))
    if seat.is_voting and not seat.body.has_votes:
        raise Refusal(
            _("Nobody votes in “%(body)s” by a seat; choose an office.") % {"body": seat.body}
        )


@transaction.atomic
def make_seats(*, actor: User | None, seat: Seat, count: int) -> list[Seat]:
    """As many seats like this one, numbered on from the last of the body."""
    Body.objects.select_for_update().get(pk=seat.body_id)
    last = seat.body.seats.order_by("-number").values_list("number", flat=True).first() or 0
    made = []
    for number in range(last + 1, last + 1 + count):
        seat.pk, seat.number = None, number
        seat._state.adding = True
        made.append(Seat.objects.get(pk=save_seat(actor=actor, seat=seat).pk))
    return made


@transaction.atomic
def abolish_seat(*, actor: User | None, seat: Seat, on: date) -> Seat:
    """The seat exists until `on`. Whoever holds it longer is not moved by this, so it refuses."""
    Body.objects.select_for_update().get(pk=seat.body_id)
    if on <= seat.since:
        raise Refusal(_("A seat is abolished after it was made; choose a later day."))
    held = seat.terms.exclude(until__lte=on).select_related("user").first()
    if held is not None:
        raise Refusal(
            _("%(name)s holds this seat then. End that term first.") % {"name": held.user}
        )
    seat.until = on
    seat.save(update_fields=["until"])
    audit.record(actor=actor, verb="seat.abolished", subject=seat, on=on.isoformat())
    return seat


@transaction.atomic
def dissolve_body(*, actor: User | None, body: Body, on: date) -> Body:
    """The body exists until `on`; its terms end and its seats are abolished with it."""
    Body.objects.select_for_update().get(pk=body.pk)
    if on <= body.since:
        raise Refusal(_("A body is dissolved after it was founded; choose a later day."))
    if body.motions.filter(state=Motion.State.OPEN).exists():
        raise Refusal(_("A vote of this body is open. Dissolve it when the vote is over."))
    seats = body.seats.exclude(until__lte=on)
    terms = SeatTerm.objects.filter(seat__in=seats).exclude(until__lte=on)
    if terms.filter(since__gte=on).exists():
        raise Refusal(_("A term begins after that day. Choose a later day."))
    for term in terms.select_related("seat__body", "user"):
        end_term(actor=actor, term=term, on=on, ending=SeatTerm.Ending.REORGANISED)
    for seat in seats:
        abolish_seat(actor=actor, seat=seat, on=on)
    body.until = on
    body.save(update_fields=["until"])
    audit.record(actor=actor, verb="body.dissolved", subject=body, on=on.isoformat())
    return body
