"""Declaring who was elected: their terms begin."""

from datetime import date, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.election import locked
from governance.actions.seat import seat_person
from governance.elections import outcomes, running
from governance.models import Contest, Election, SeatTerm
from governance.refusals import Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit, languages


@transaction.atomic
def declare_election(
    *, actor: User, election: Election, exception: str = "", at: datetime | None = None
) -> Election:
    """Seat who was elected, the one elected first in the seat with the lowest number.

    A rehearsal seats nobody. Raises NeedsException where a limit of terms or of employers is
    exceeded that the count did not know; `exception` says why it does not hold.
    """
    election = locked(election)
    moment = clock.now(at)
    allowed(outcomes.not_to_declare(election, moment))
    allowed(running.not_to_run(actor, election.body, moment))
    since = election.term_begins_on or timezone.localdate(moment)
    if not election.is_rehearsal:
        for contest in election.contests.all():
            _seat(actor, contest, since, exception)
    election.state, election.declared_at = Election.State.DECLARED, moment
    election.save(update_fields=["state", "declared_at"])
    audit.record(actor=actor, verb="election.declared", subject=election)
    return election


def _seat(actor: User, contest: Contest, since: date, exception: str) -> None:
    elected = outcomes.elected(contest)
    seats = list(contest.seats.order_by("number"))
    if seats and len(elected) > len(seats):
        raise Refusal(_("More are elected than seats are named."))
    with languages.of_record():
        alone = _("Independent")
    for seat, candidacy in zip(seats, elected, strict=False):
        seat_person(
            actor=actor,
            seat=seat,
            user=candidacy.user,
            since=since,
            until=seat.full_term(since),
            affiliation=candidacy.affiliation or alone,
            entry=SeatTerm.Entry.ELECTED,
            exception=exception,
            tell=True,
        )
