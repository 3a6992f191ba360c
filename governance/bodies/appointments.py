"""What stands against giving a seat to a person for a time: what cannot be, and what is limited."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.bodies import caps
from governance.models import Seat, SeatTerm
from governance.refusals import Refusal
from governance.tally.terms import Held, terms_in_a_row
from portal.accounts.models import User


def impossible(*, seat: Seat, user: User, since: date, until: date | None) -> Refusal | None:
    """Why the seat cannot be given, whatever the reason for it."""
    if until is not None and until <= since:
        return Refusal(_("A term ends after it begins; choose a later day."))
    if since < seat.since or _ends_before(seat.until, until):
        return Refusal(_("The seat does not exist in all of that time."))
    if _ends_before(seat.body.until, until):
        return Refusal(_("The body is dissolved before that term ends."))
    return _taken(seat, user, since, until)


def _ends_before(end: date | None, until: date | None) -> bool:
    return end is not None and (until is None or until > end)


def _taken(seat: Seat, user: User, since: date, until: date | None) -> Refusal | None:
    held = SeatTerm.objects.filter(seat=seat).overlapping(since, until).first()
    if held is not None:
        return Refusal(
            _("%(name)s holds this seat in that time. End that term first.") % {"name": held.user}
        )
    others = SeatTerm.objects.voting().of(user).filter(seat__body=seat.body_id)
    if seat.is_voting and others.overlapping(since, until).exists():
        return Refusal(
            _("%(name)s holds another voting seat here. One person has one vote.") % {"name": user}
        )
    return None


def exceeded(
    *, seat: Seat, user: User, since: date, until: date | None, affiliation: str = ""
) -> list[str]:
    """The limits that such a term would exceed; an exception with a reason allows it."""
    found = [
        _too_long(seat, since, until),
        _too_many(seat, user, since),
        _too_close(seat, user, since, affiliation),
    ]
    return [sentence for sentence in found if sentence]


def _too_close(seat: Seat, user: User, since: date, affiliation: str) -> str:
    """One employer holds too many of the voting seats."""
    if not seat.is_voting:
        return ""
    found = caps.would_exceed(seat.body, user=user.pk, affiliation=affiliation, since=since)
    if found is None:
        return ""
    employer, cap = found
    words = {"employer": employer.name, "seats": employer.seats, "most": cap.most}
    said = _("%(employer)s would hold %(seats)s voting seats; one employer may hold %(most)s.")
    clause = f" ({cap.rule_set.cap_clause})" if cap.rule_set.cap_clause else ""
    return said % words + clause


def _too_long(seat: Seat, since: date, until: date | None) -> str:
    full = seat.full_term(since)
    if full is None or (until is not None and until <= full):
        return ""
    return _("A full term of this seat ends on %(day)s at the latest.") % {
        "day": date_format(full, "j M Y")
    }


def _too_many(seat: Seat, user: User, since: date) -> str:
    if seat.limit is None:
        return ""
    count = terms_held(seat, user, since)
    if count < seat.limit.terms:
        return ""
    words = ngettext(
        "%(name)s has held %(count)s term in a row; this seat allows %(limit)s.",
        "%(name)s has held %(count)s terms in a row; this seat allows %(limit)s.",
        count,
    )
    return words % {"name": user, "count": count, "limit": seat.limit.terms}


def terms_held(seat: Seat, user: User, since: date) -> int:
    """The terms in a row that count before that day: in any voting seat of the body, or, for a
    seat without a vote, in the same office.
    """
    if seat.limit is None:
        return 0
    terms = SeatTerm.objects.of(user).filter(seat__body=seat.body_id)
    alike = terms.voting() if seat.is_voting else terms.filter(seat__office=seat.office)
    held = [Held(term.since, term.until or since) for term in alike.filter(since__lt=since)]
    return terms_in_a_row(held, since, seat.limit)
