"""Complaints about an election: made in time by anybody with an account, answered in public."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.election import locked
from governance.elections import complaining, letters, readers
from governance.models import Complaint, Election
from governance.refusals import Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit, outbox

MOST = 500  # of an election; nobody fills the page of another's election with a program
MOST_OF_ONE = 5


@transaction.atomic
def complain(
    *, actor: User, election: Election, text: str, at: datetime | None = None
) -> Complaint:
    """Say what went wrong; everybody reads it, and the answer."""
    election = locked(election)
    moment = clock.now(at)
    allowed(complaining.not_to_complain(actor, election, moment))
    if not text.strip():
        raise Refusal(_("Say what went wrong, so that it can be answered."))
    waiting = election.complaints.filter(answer="")
    if waiting.filter(made_by=actor).count() >= MOST_OF_ONE or waiting.count() >= MOST:
        raise Refusal(_("Complaints wait for their answers already. Make yours after those."))
    complaint = Complaint.objects.create(
        election=election, text=text.strip(), made_by=actor, made_at=moment
    )
    audit.record(actor=actor, verb="complaint.made", subject=complaint, election=election.name)
    return complaint


@transaction.atomic
def answer_complaint(
    *,
    actor: User,
    complaint: Complaint,
    answer: Complaint.Answer,
    reason: str,
    at: datetime | None = None,
) -> Complaint:
    """Grant or refuse it with the reason. What follows from it is done by its own act."""
    election = locked(Election(pk=complaint.election_id))
    moment = clock.now(at)
    complaint = Complaint.objects.get(pk=complaint.pk)
    complaint.election = election
    allowed(complaining.not_to_answer(actor, complaint, moment))
    if not reason.strip():
        raise Refusal(_("Give the reason: everybody reads it."))
    complaint.answer, complaint.answer_reason = answer, reason.strip()
    complaint.answered_by, complaint.answered_at = actor, moment
    complaint.save()
    audit.record(actor=actor, verb="complaint.answered", subject=complaint, answer=answer)
    outbox.enqueue_all([_answered(complaint)])
    return complaint


def _answered(complaint: Complaint) -> outbox.Letter:
    """To who complained."""
    election = complaint.election
    return letters.complaint_answered(
        readers.reader(complaint.made_by),
        readers.of(election),
        reference=str(complaint.pk),
        is_upheld=complaint.answer == Complaint.Answer.GRANTED,
        ruling=complaint.answer_reason,
        signed_by=[str(complaint.answered_by)],
        link=readers.link(election, f"complaints/#complaint-{complaint.pk}"),
    )
