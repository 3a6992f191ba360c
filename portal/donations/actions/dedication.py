"""What the staff decide about words of donors on a public page."""

from datetime import datetime

from django.db import transaction

from portal.accounts.models import User
from portal.donations.models import Dedication, Donation
from portal.lib import audit


@transaction.atomic
def judge_dedication(*, actor: User, donation: Donation, shown: bool) -> None:
    """Show a dedication, or not; a decision may be changed."""
    state = Dedication.SHOWN if shown else Dedication.REFUSED
    changed = Donation.objects.filter(pk=donation.pk).exclude(dedication="")
    if changed.exclude(dedication_state=state).update(dedication_state=state):
        audit.record(actor=actor, verb="donation.dedication", subject=donation, state=state.value)


@transaction.atomic
def hide_name(*, actor: User, donation: Donation, at: datetime | None) -> None:
    """Take a name off the donors page that is none; without a moment, show it again."""
    Donation.objects.filter(pk=donation.pk).update(name_hidden_at=at)
    audit.record(actor=actor, verb="donation.hide", subject=donation, hidden=at is not None)
