"""Using what was bought, as long as there is some left and its time is not over."""

from datetime import datetime

from django.db import transaction
from django.db.models import Sum

from portal.accounts.models import User
from portal.lib import audit
from portal.members.models import BenefitUse, Entitlement, Term


class NothingLeftError(Exception):
    """More would be used than is left; `left` says how many are."""

    def __init__(self, left: int) -> None:
        super().__init__(left)
        self.left = left


class TooLateError(Exception):
    """Its time, or the term that gave it, is over."""


class TakenBackError(Exception):
    """Somebody took this use back already."""


@transaction.atomic
def use_benefit(
    *, actor: User, entitlement: Entitlement, quantity: int, note: str, at: datetime
) -> BenefitUse:
    """Raises NothingLeftError and TooLateError. Uses of one benefit are counted one by one."""
    held = _locked(entitlement.pk)
    if held.use_by <= at or not Term.objects.active_on(at).filter(pk=held.term_id):
        raise TooLateError
    used = held.uses.standing().aggregate(used=Sum("quantity"))["used"] or 0
    left = (held.quantity or 0) - used if held.is_used_up_by_use else 0
    if quantity < 1 or quantity > left:
        raise NothingLeftError(left)
    use = BenefitUse.objects.create(
        entitlement=held, quantity=quantity, note=note, used_at=at, recorded_by=actor
    )
    audit.record(actor=actor, verb="benefit.use", subject=held, quantity=quantity, note=note)
    return use


@transaction.atomic
def take_use_back(*, actor: User, use: BenefitUse, at: datetime) -> None:
    """It was recorded by mistake: what it took is left again. Raises TakenBackError."""
    held = _locked(use.entitlement_id)
    standing = held.uses.standing().filter(pk=use.pk)
    if not standing.update(taken_back_at=at, taken_back_by=actor):
        raise TakenBackError
    audit.record(
        actor=actor, verb="benefit.take_back", subject=held, quantity=use.quantity, note=use.note
    )


def _locked(pk: int) -> Entitlement:
    rows = Entitlement.objects.select_for_update(of=("self",)).select_related("term")
    return rows.get(pk=pk)
