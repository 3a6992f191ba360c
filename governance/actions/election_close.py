"""Closing an election: the box makes its last block, and takes no ballot any more."""

from datetime import datetime

from django.db import transaction

from governance import clock
from governance.actions.election import locked
from governance.actions.sweep import sweep
from governance.box.client import BallotBox
from governance.elections import key_letters
from governance.models import Election
from portal.lib import audit


def close_due(*, box: BallotBox, at: datetime | None = None) -> int:
    """Close what is over; how many. A box that does not answer is asked again by the next sweep."""
    due = list(Election.objects.overdue(clock.now(at)).values_list("pk", flat=True))
    return sweep(due, lambda pk: close_election(pk, box=box, at=at))


def close_election(election_id: int, *, box: BallotBox, at: datetime | None = None) -> bool:
    """Whether this call closed it. The box closes again as often as it is told."""
    election = Election.objects.get(pk=election_id)
    if election.is_sealed:
        box.close(election.name)
    return _note_closed(election_id, at)


@transaction.atomic
def _note_closed(election_id: int, at: datetime | None) -> bool:
    election = locked(Election(pk=election_id))
    moment = clock.now(at)
    if not Election.objects.overdue(moment).filter(pk=election.pk).exists():
        return False
    election.state, election.closed_at = Election.State.CLOSED, moment
    election.save(update_fields=["state", "closed_at"])
    key_letters.closed(election)
    audit.record(actor=None, verb="election.closed", subject=election)
    return True
