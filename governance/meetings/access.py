"""Who reads and who keeps the record of a meeting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext as _

from governance.models import Body, Meeting, Seat, SeatTerm
from governance.refusals import NotAllowed, Refusal
from portal.accounts.models import User

Visitor = User | AnonymousUser
RUN_BY: Final = (Seat.Office.CHAIR, Seat.Office.VICE_CHAIR, Seat.Office.SECRETARY)
OFFICES: Final = (*RUN_BY, Seat.Office.TREASURER)


@dataclass(frozen=True, slots=True)
class Access:
    """What a visitor may do with the meetings of a body."""

    runs: bool  # plans, keeps the record
    reads: bool  # drafts of the record, the link to take part
    reads_closed: bool  # closed sessions too
    votes: bool  # holds a voting seat, and so moves the approval of minutes


STRANGER: Final = Access(runs=False, reads=False, reads_closed=False, votes=False)


def access(user: Visitor, body: Body, at: datetime) -> Access:
    if not isinstance(user, User):
        return STRANGER
    seats = _seats(user, body, at)
    votes = any(seat.is_voting for seat in seats)
    offices = {seat.office for seat in seats}
    return Access(
        runs=user.is_staff or bool(offices & set(RUN_BY)),
        reads=user.is_staff or bool(seats),
        reads_closed=user.is_staff or votes or bool(offices & set(OFFICES)),
        votes=votes,
    )


def runs_some(user: Visitor, at: datetime) -> list[Body]:
    """The bodies whose meetings the visitor plans."""
    existing = Body.objects.existing(timezone.localdate(at))
    return [body for body in existing if access(user, body, at).runs]


def not_to_run(user: Visitor | None, body: Body, at: datetime) -> Refusal | None:
    """None for `user` is the portal itself."""
    if user is None or access(user, body, at).runs:
        return None
    return NotAllowed(
        _("Only the chair, the secretary (of this body: %(body)s) and staff can do this.")
        % {"body": body}
    )


def not_to_keep(user: Visitor | None, meeting: Meeting, at: datetime) -> Refusal | None:
    """Why the record of the meeting is not theirs to write."""
    if meeting.is_cancelled:
        return Refusal(_("The meeting was cancelled; there is nothing to put on record."))
    return not_to_run(user, meeting.body, at)


def _seats(user: User, body: Body, at: datetime) -> list[Seat]:
    day = timezone.localdate(at)
    terms = SeatTerm.objects.seated_on(day).of(user).filter(seat__body=body)
    return [term.seat for term in terms.select_related("seat")]
