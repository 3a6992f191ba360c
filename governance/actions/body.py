"""Founding a body and giving it seats."""

from datetime import date

from django.db import transaction

from governance.models import Body, Seat
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
    """Keep a new or changed seat."""
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


@transaction.atomic
def abolish_seat(*, actor: User | None, seat: Seat, on: date) -> Seat:
    """The seat exists until `on`; whoever holds it is not moved by this."""
    seat.until = on
    seat.save(update_fields=["until"])
    audit.record(actor=actor, verb="seat.abolished", subject=seat, on=on.isoformat())
    return seat
