"""Terms begin with the payment and end with the refund."""

from datetime import datetime

from django.db import transaction

from portal.lib import audit
from portal.members.models import Organisation, Term, Tier
from portal.members.terms import add_months
from portal.payments.models import Order


@transaction.atomic
def begin_term(
    *, organisation: Organisation, tier: Tier, order: Order, starts_at: datetime
) -> Term:
    """What `order` paid for, as the tier is now. One order gives one term."""
    term = Term.objects.create(
        organisation=organisation,
        tier=tier,
        order=order,
        tier_name=tier.name,
        tier_rank=tier.rank,
        logo_size=tier.logo_size,
        benefits=tier.benefits,
        kind_slug=tier.kind.slug,
        kind_name=tier.kind.name,
        takes_part=tier.kind.takes_part,
        early_notices=tier.early_notices,
        price_minor=order.amount_minor,
        currency=order.currency,
        starts_at=starts_at,
        ends_at=add_months(starts_at, tier.months),
    )
    audit.record(actor=None, verb="term.begin", subject=term, until=term.ends_at)
    return term


@transaction.atomic
def end_term(*, term: Term, at: datetime, reason: str) -> None:
    """End it early; a term that ended stays as it is."""
    if Term.objects.filter(pk=term.pk, ended_at__isnull=True).update(
        ended_at=max(at, term.starts_at), end_reason=reason
    ):
        audit.record(actor=None, verb="term.end", subject=term, reason=reason)


@transaction.atomic
def resume_term(*, term: Term) -> None:
    """The money is ours again: the term goes on as if it had never ended."""
    if Term.objects.filter(pk=term.pk, ended_at__isnull=False).update(ended_at=None, end_reason=""):
        audit.record(actor=None, verb="term.resume", subject=term)
