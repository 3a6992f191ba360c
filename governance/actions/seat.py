"""Seating people and ending their terms. Seat and role are written together, here only."""

from datetime import date

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from governance import letters
from governance.actions.seat_role import give_role, midnight, take_role
from governance.bodies import appointments
from governance.models import Body, Motion, Seat, SeatTerm
from governance.refusals import NeedsException, Refusal
from portal.accounts.models import User
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
    entry: SeatTerm.Entry = SeatTerm.Entry.APPOINTED,
    exception: str = "",
    tell: bool = False,
) -> SeatTerm:
    """Give the seat to a person for a term; its role is granted with it.

    Refuses a seat that is held in that time, and a second voting seat of the same body. A limit
    of terms or of an employer's seats refuses too, unless `exception` says why it does not.
    With `tell` the person gets a letter.
    """
    seat.body = Body.objects.select_for_update().get(pk=seat.body_id)
    check_seat(seat=seat, user=user, since=since, until=until)
    exceeded = appointments.exceeded(
        seat=seat, user=user, since=since, until=until, affiliation=affiliation
    )
    if exceeded and not exception:
        raise NeedsException(exceeded)
    term = SeatTerm.objects.create(
        seat=seat,
        user=user,
        since=since,
        until=until,
        meant_until=until,
        affiliation=affiliation,
        decided_by=decided_by,
        entry=entry,
        exception=exception if exceeded else "",
    )
    give_role(actor=actor, term=term)
    audit.record(
        actor=actor,
        verb="seat.taken",
        subject=term,
        since=since.isoformat(),
        until=until.isoformat() if until else None,
        exception=term.exception,
    )
    if tell:
        letters.seated(term)
    return term


def check_seat(*, seat: Seat, user: User, since: date, until: date | None) -> None:
    """Refuse what `seat_person` would refuse whatever the reason."""
    refusal = appointments.impossible(seat=seat, user=user, since=since, until=until)
    if refusal is not None:
        raise refusal


@transaction.atomic
def end_term(
    *,
    actor: User | None,
    term: SeatTerm,
    on: date,
    ending: SeatTerm.Ending | None = None,
    tell: bool = False,
) -> SeatTerm:
    """The first day without them is `on`; the seat is vacant from then."""
    Body.objects.select_for_update().get(seats=term.seat_id)
    term.refresh_from_db(fields=["since", "until"])
    if on <= term.since:
        raise Refusal(_("A term ends after it begins; choose a later day."))
    if term.until is not None and on > term.until:
        day = date_format(term.until, "j M Y")
        raise Refusal(
            _("This term ends on %(day)s already. Fill the seat again for the time after.")
            % {"day": day}
        )
    term.until, term.ending = on, ending or ""
    term.save(update_fields=["until", "ending"])
    take_role(actor=actor, term=term, at=midnight(on))
    audit.record(actor=actor, verb="seat.left", subject=term, on=on.isoformat(), ending=term.ending)
    if tell:
        letters.unseated(term)
    return term
