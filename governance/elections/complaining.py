"""Who complains about an election, and who answers."""

from datetime import datetime

from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.elections.running import Visitor, not_to_judge
from governance.models import Complaint, Election
from governance.refusals import NotAllowed, Refusal
from portal.accounts.models import User


def not_to_complain(user: Visitor, election: Election, at: datetime) -> Refusal | None:
    """Whoever has an account may, in time."""
    if not isinstance(user, User):
        return NotAllowed(_("Sign in to complain."))
    if election.takes_complaints(at):
        return None
    if election.state == Election.State.CANCELLED:
        return Refusal(_("The election was called off; there is nothing left to complain about."))
    return Refusal(
        _("Complaints were taken until %(when)s.")
        % {"when": in_words(election.complaints_close_at)}
    )


def not_to_answer(user: Visitor, complaint: Complaint, at: datetime) -> Refusal | None:
    if complaint.answer:
        return Refusal(_("It was ruled on already."))
    if complaint.election.state == Election.State.DECLARED:
        return Refusal(_("The result is declared; rulings came before."))
    if user.pk == complaint.made_by_id:
        return NotAllowed(_("Somebody else rules on your own complaint."))
    return not_to_judge(user, complaint.election, at)
