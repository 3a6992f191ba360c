"""For how long the indices of past publications stay."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from releases.errors import RefusedError
from releases.models import Repository
from releases.models.repository import GENERATIONS, KEEP_FOR

FEWEST, MOST = GENERATIONS, 1_000
SHORTEST, LONGEST = KEEP_FOR.days, 3_650


@transaction.atomic
def set_retention(*, actor: User, repository: Repository, publications: int, days: int) -> bool:
    """Keep as many past publications, and for so many days at the least; whether that is new."""
    if not (FEWEST <= publications <= MOST and SHORTEST <= days <= LONGEST):
        raise RefusedError(
            _("Keep 3 to 1,000 publications, and each for 3 to 3,650 days: clients need them.")
        )
    locked = Repository.objects.select_for_update(no_key=True, of=["self"]).get(pk=repository.pk)
    wanted = (publications, dt.timedelta(days=days))
    before = (locked.keep_generations, locked.keep_for)
    if before == wanted:
        return False
    locked.keep_generations, locked.keep_for = wanted
    locked.save(update_fields=["keep_generations", "keep_for"])
    audit.record(
        actor=actor,
        verb="repository.set_retention",
        subject=locked,
        before={"publications": before[0], "days": before[1].days},
        publications=publications,
        days=days,
    )
    return True
