"""Saying that one wants to vote."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.models import Affirmation
from governance.motions import franchise
from governance.refusals import NotAllowed
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def affirm_vote(*, actor: User, voter_key: str, at: datetime | None = None) -> Affirmation:
    """For oneself as a contributor, or for a member that one speaks for."""
    moment = clock.now(at)
    own = {candidate.key: candidate for candidate in franchise.own_votes(actor, moment)}
    if voter_key not in own:
        raise NotAllowed(_("This is not your vote. Only who casts it can affirm it."))
    affirmation = Affirmation.objects.create(
        voter_key=voter_key, name=own[voter_key].name, affirmed_by=actor, affirmed_at=moment
    )
    audit.record(actor=actor, verb="vote.affirmed", subject=affirmation, voter=voter_key)
    return affirmation
