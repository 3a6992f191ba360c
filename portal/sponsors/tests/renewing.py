"""What tests of renewals share: supporters that paid some time ago."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from portal.lib.models import OutboxMail
from portal.members.models import Term, Tier
from portal.payments.actions.payment import record_offline_payment
from portal.sponsors.actions.application import submit_application
from portal.sponsors.actions.renewal import begin_renewal
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.models import Application
from tests.cast import make_person
from tests.supporters import make_application, make_tier

DAY = timedelta(days=1)
_lines = iter(range(1, 10**6))


def pay(application: Application, at: datetime) -> Term:
    """The money comes by bank at that moment."""
    order = application.order
    assert order is not None
    erin = make_person(f"erin{next(_lines)}")
    about = {"actor": erin, "order": order, "amount": order.amount, "at": at}
    settle_order(order=record_offline_payment(**about, statement_ref=f"s/{order.pk}"))  # type: ignore[arg-type]
    return Term.objects.get(order=order)


def supported_since(at: datetime, tier: Tier | None = None, **values: Any) -> Term:
    """A first sign-up that was paid then."""
    return pay(make_application(tier or make_tier(), **values), at)


def renewed(term: Term, paid_at: datetime, tier: Tier | None = None) -> Term:
    """A renewal that was paid then."""
    return pay(ordered(term, paid_at, tier), paid_at)


def ordered(term: Term, at: datetime, tier: Tier | None = None) -> Application:
    draft = begin_renewal(
        actor=None, term=term, tier=tier or term.tier, currency=term.currency, at=at
    )
    return submit_application(actor=None, application=draft, at=at)


def notices(kind: str = "renewal:") -> list[str]:
    """Keys of the letters about the end of terms, without whose they are."""
    found = OutboxMail.objects.filter(key__startswith=kind).order_by("pk")
    return [key.split(":", 2)[2] for key in found.values_list("key", flat=True)]
