"""Letters before terms end: to who holds the seat, and to who has to see that it is filled."""

from collections import defaultdict
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from governance import clock, letters
from governance.models import Body, Seat, SeatTerm
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role

Ending = tuple[Body, date]


@transaction.atomic
def announce_ends(*, at: datetime | None = None) -> int:
    """One letter for each of the days in TERM_LETTER_DAYS before a term ends, and once each,
    however often this runs; how many terms end so soon.
    """
    moment = clock.now(at)
    today = timezone.localdate(moment)
    horizon = today + timedelta(days=max(settings.TERM_LETTER_DAYS, default=0))
    ending = list(SeatTerm.objects.ending(today, horizon))
    to_fill: dict[Ending, list[SeatTerm]] = defaultdict(list)
    for term in ending:
        following = _following(term)
        if following is None or following.user_id != term.user_id:
            letters.term_ends(term, following, days=_stage(term, today))
        if following is None:
            to_fill[term.seat.body, term.until or today].append(term)
    for (body, day), terms in to_fill.items():
        for keeper in keepers(body, moment):
            letters.terms_end(terms, day, keeper, days=_stage(terms[0], today))
    return len(ending)


def keepers(body: Body, at: datetime) -> list[User]:
    """Who sees to it that seats are filled: the secretary, else the chair, else the staff."""
    terms = (
        SeatTerm.objects.seated_on(timezone.localdate(at))
        .filter(seat__body=body)
        .select_related("user")
    )
    for office in (Seat.Office.SECRETARY, Seat.Office.CHAIR):
        held = [term.user for term in terms.filter(seat__office=office).order_by("seat__number")]
        if held:
            return held
    staff = RoleGrant.objects.active_on(at).filter(role=Role.STAFF).values("user_id")
    return list(User.objects.filter(pk__in=staff, is_active=True).order_by("pk"))


def _following(term: SeatTerm) -> SeatTerm | None:
    """The term in the same seat that begins where this one ends."""
    return SeatTerm.objects.filter(seat=term.seat_id, since=term.until or date.max).first()


def _stage(term: SeatTerm, today: date) -> int:
    """The last of the days that have come: 30 where 90 and 30 are set and 20 are left."""
    left = ((term.until or today) - today).days
    return min(days for days in settings.TERM_LETTER_DAYS if days >= left)
