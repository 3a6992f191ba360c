"""Ending what was declared, and taking back a mistake: an affiliation or an interest."""

from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance.models import Affiliation, Interest
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def end_declaration(
    *, actor: User | None, declaration: Affiliation | Interest, on: date
) -> Affiliation | Interest:
    """The first day on which it is over."""
    held = _locked(declaration)
    if on <= held.since:
        raise Refusal(_("It ends after it begins. Take it back if it never was so."))
    held.until = on
    held.save(update_fields=["until"])
    audit.record(
        actor=actor, verb=f"{held._meta.model_name}.ended", subject=held, on=on.isoformat()
    )
    return held


@transaction.atomic
def retract_declaration(
    *, actor: User | None, declaration: Affiliation | Interest, because: str, at: datetime
) -> Affiliation | Interest:
    """It never was so: no page shows it from now on; the row and the reason stay."""
    held = _locked(declaration)
    held.retracted_at, held.retracted_because = at, because
    held.save(update_fields=["retracted_at", "retracted_because"])
    audit.record(
        actor=actor, verb=f"{held._meta.model_name}.retracted", subject=held, because=because
    )
    return held


def _locked(declaration: Affiliation | Interest) -> Affiliation | Interest:
    model = type(declaration)
    held: Affiliation | Interest = model.objects.select_for_update().get(pk=declaration.pk)
    if held.retracted_at is not None:
        raise Refusal(_("It was taken back already."))
    return held
