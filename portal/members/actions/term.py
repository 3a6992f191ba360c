"""Terms begin with the payment, end with the refund, and follow each other in lines."""

from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction

from portal.lib import audit
from portal.members.line import Bought, Place, places
from portal.members.models import Benefit, Entitlement, Organisation, Term, Tier
from portal.members.models.tier import seats_of
from portal.members.terms import add_months
from portal.payments.arithmetic import OrderState
from portal.payments.models import Order

UPGRADED = "upgraded"
GONE = {OrderState.REFUNDED.value, OrderState.DISPUTED.value}


def grace() -> timedelta:
    """How long a supporter is shown after the end of a term that was not renewed."""
    return timedelta(days=settings.RENEWAL_GRACE_DAYS)


@transaction.atomic(savepoint=False)
def begin_term(
    *,
    organisation: Organisation,
    tier: Tier,
    order: Order,
    starts_at: datetime,
    line: UUID | None = None,
    is_upgrade: bool = False,
) -> Term:
    """What `order` paid for, as the tier is now. One order gives one term.

    `line` is that of the term which it renews; `arrange_line` then finds its place there.
    """
    ends_at = add_months(starts_at, tier.months)
    benefits = list(tier.benefits.included())
    term = Term.objects.create(
        organisation=organisation,
        tier=tier,
        order=order,
        line=line or uuid4(),
        is_upgrade=is_upgrade,
        tier_name=tier.name,
        tier_rank=tier.rank,
        logo_size=tier.logo_size,
        kind_slug=tier.kind.slug,
        kind_name=tier.kind.name,
        takes_part=tier.kind.takes_part,
        early_notices=tier.early_notices,
        advisory_seats=seats_of(benefits),
        price_minor=order.amount_minor,
        currency=order.currency,
        months=tier.months,
        starts_at=starts_at,
        ends_at=ends_at,
        grace_until=ends_at + grace(),
    )
    _keep_benefits(term, benefits)
    audit.record(actor=None, verb="term.begin", subject=term, until=term.ends_at)
    return term


@transaction.atomic(savepoint=False)
def end_term(*, term: Term, at: datetime, reason: str) -> None:
    """End it early; a term that ended stays as it is."""
    if Term.objects.filter(pk=term.pk, ended_at__isnull=True).update(
        ended_at=max(at, term.starts_at), end_reason=reason
    ):
        audit.record(actor=None, verb="term.end", subject=term, reason=reason)


@transaction.atomic(savepoint=False)
def resume_term(*, term: Term) -> None:
    """The money is ours again: the term goes on as if it had never ended."""
    if Term.objects.filter(pk=term.pk, ended_at__isnull=False).update(ended_at=None, end_reason=""):
        audit.record(actor=None, verb="term.resume", subject=term)


@transaction.atomic(savepoint=False)
def arrange_line(*, line: UUID) -> None:
    """Put every paid term of a line where the payments say, whichever was known first."""
    rows = Term.objects.select_for_update(of=("self",)).filter(line=line).order_by("pk")
    terms = {term.pk: term for term in rows.paid().with_last().select_related("order")}
    found = places([_bought(term) for term in terms.values()], grace())
    for pk, place in found.items():
        _put(terms[pk], place)


def _bought(term: Term) -> Bought:
    order = term.order
    return Bought(
        key=term.pk,
        paid_at=order.paid_at or term.starts_at,
        months=term.months,
        net=order.net_minor,
        upgrades=term.is_upgrade,
        is_void=order.state in GONE,
        is_last=term.was_cancelled,
    )


def _put(term: Term, place: Place) -> None:
    was = (term.starts_at, term.ends_at, term.grace_until, term.renews_id, term.ended_at)
    _move_benefits(term, place)
    term.starts_at, term.ends_at = place.starts_at, place.ends_at
    term.grace_until, term.renews_id = place.grace_until, place.follows
    if place.replaced_at is not None and term.end_reason in {"", UPGRADED}:
        term.ended_at, term.end_reason = place.replaced_at, UPGRADED
    elif place.replaced_at is None and term.end_reason == UPGRADED:
        term.ended_at, term.end_reason = None, ""
    elif term.ended_at is not None:
        term.ended_at = max(term.ended_at, place.starts_at)
    if was != (term.starts_at, term.ends_at, term.grace_until, term.renews_id, term.ended_at):
        term.save()
        audit.record(
            actor=None, verb="term.move", subject=term, until=term.ended_at or term.ends_at
        )


def _move_benefits(term: Term, place: Place) -> None:
    """What lasts as long as the term ends with it; what has months of its own begins with it."""
    if (term.starts_at, term.ends_at) == (place.starts_at, place.ends_at):
        return
    for entitlement in term.entitlements.all():
        if entitlement.use_by == term.ends_at:
            entitlement.use_by = place.ends_at
        else:
            moved = entitlement.use_by + (place.starts_at - term.starts_at)
            entitlement.use_by = min(moved, place.ends_at)
        entitlement.save(update_fields=["use_by"])


def _keep_benefits(term: Term, benefits: list[Benefit]) -> None:
    Entitlement.objects.bulk_create(
        Entitlement(
            term=term,
            kind=benefit.kind,
            text=benefit.text,
            quantity=benefit.quantity,
            use_by=_use_by(term, benefit.months_to_use),
        )
        for benefit in benefits
    )


def _use_by(term: Term, months: int | None) -> datetime:
    return min(add_months(term.starts_at, months), term.ends_at) if months else term.ends_at
