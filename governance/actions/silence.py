"""Switching the letters about answers to one's comments off, and on again."""

from datetime import datetime

from django.db import transaction

from governance import clock
from governance.models import Silence
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def choose_letters(*, actor: User, wanted: bool, at: datetime | None = None) -> None:
    """Whether the person gets a letter for each answer; said again it changes nothing."""
    if wanted:
        changed = bool(Silence.objects.filter(user=actor).delete()[0])
    else:
        moment = clock.now(at)
        _row, changed = Silence.objects.get_or_create(user=actor, defaults={"since": moment})
    if changed:
        audit.record(actor=actor, verb="answers.letters", subject=actor, wanted=wanted)
