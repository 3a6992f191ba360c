"""Twelve supporters that signed up, by the actions that everybody's requests call."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from portal.accounts import demonstration as people
from portal.accounts.models import User
from portal.members.actions.logo import keep_logo
from portal.members.models import Tier
from portal.members.pictures import check
from portal.payments.actions.payment import record_offline_payment
from portal.sponsors.actions.agreement import publish_agreement
from portal.sponsors.actions.application import (
    accept_agreement,
    approve_application,
    save_organisation,
    set_logo,
    submit_application,
)
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.models import Agreement, Application
from portal.sponsors.models.application import ApplicationState

AGREEMENT = """\
## What the supporter gives

The supporter pays the price of the chosen tier once for the term. Prices are those of the day
on which the application is sent.

## What the foundation gives

The benefits of the tier as they stand on that day, for the whole term. A larger tier never means
more votes, and no tier buys a say in what is released.

## The name and the logo

The supporter allows the foundation to show its name and logo on the supporters page and in reports
while the term lasts, and may withdraw this at any time without a reason.

## How it ends

With the last day of the term, unless the supporter chose that it renews automatically and did not
end that before. A refund ends the term at once.
"""


@dataclass(frozen=True)
class Company:
    """One of the twelve; the logo is a file in static/img/logos."""

    logo: str
    name: str
    legal_name: str
    country: str
    tier: str
    currency: str
    owner: str
    days: int  # since it joined


COMPANIES = [
    Company("northwind", "Northwind Data", "Northwind Data AS", "NO", "platinum", "EUR", "", 210),
    Company(
        "cobalt", "Cobalt Hosting", "Cobalt Hosting Inc.", "US", "platinum", "USD", "Ines", 188
    ),
    Company("halyard", "Halyard Cloud", "Halyard Cloud B.V.", "NL", "gold", "EUR", "Jonas", 171),
    Company(
        "tessera", "Tessera Systems", "Tessera Systems S.r.l.", "IT", "gold", "EUR", "Kai", 160
    ),
    Company("redstart", "Redstart Payments", "Redstart Ltd", "GB", "gold", "EUR", "Lea", 133),
    Company("polder", "Polder Storage", "Polder Storage N.V.", "NL", "gold", "EUR", "Mats", 120),
    Company(
        "quarry", "Quarry Analytics", "Quarry Analytics GmbH", "DE", "silver", "EUR", "Nia", 96
    ),
    Company("saltmarsh", "Saltmarsh Software", "Saltmarsh Oy", "FI", "silver", "EUR", "Ole", 81),
    Company("fenwick", "Fenwick Rail", "Fenwick Rail plc", "GB", "silver", "EUR", "Pia", 60),
    Company("anvil", "Anvil Commerce", "Anvil Commerce LLC", "US", "silver", "USD", "Quinn", 44),
    Company("bluebell", "Bluebell Telecom", "Bluebell K.K.", "JP", "silver", "JPY", "Rei", 25),
    Company("kestrel", "Kestrel Networks", "Kestrel Networks AB", "SE", "silver", "EUR", "Siv", 9),
]


def load(*, actor: User, at: datetime) -> None:
    """Everything: it takes a second or two, and the first pages show it."""
    agreement = Agreement.objects.current(at) or publish_agreement(
        actor=actor,
        title="Supporter agreement",
        text=AGREEMENT,
        in_force_from=at - timedelta(days=365),
    )
    for company in COMPANIES:
        sign_up(actor, company, agreement, at - timedelta(days=company.days))


def sign_up(actor: User, company: Company, agreement: Agreement, at: datetime) -> None:
    """Draft, logo, agreement, review, payment; goes on where an earlier run was stopped."""
    # Its first one: whoever plays the company may have begun others since.
    signed = Application.objects.filter(legal_name=company.legal_name).order_by("pk")
    application = signed.first()
    if application is None:
        application = _draft(company)
    if application.state == ApplicationState.DRAFT:
        file = Path(settings.BASE_DIR) / "static" / "img" / "logos" / f"{company.logo}.svg"
        set_logo(application=application, logo=keep_logo(picture=check(file.read_bytes())))
        accept_agreement(
            actor=application.applicant,
            application=application,
            agreement=agreement,
            accepted_by=application.owner_name,
            at=at,
        )
        application = submit_application(
            actor=application.applicant, application=application, at=at
        )
    if application.state == ApplicationState.REVIEW:
        application = approve_application(actor=actor, application=application, reason="", at=at)
    if application.state == ApplicationState.PAYMENT and application.order is not None:
        order = record_offline_payment(
            actor=people.person(people.ERIN),
            order=application.order,
            amount=application.order.amount,
            statement_ref=f"statement {at:%Y-%m-%d} {company.logo}",
            at=at,
        )
        settle_order(order=order)


def _draft(company: Company) -> Application:
    """Alice owns the first company; the others' owners have no account."""
    alice = people.person(people.ALICE) if not company.owner else None
    domain = f"{company.logo}.example"
    return save_organisation(
        actor=alice,
        application=None,
        tier=Tier.objects.filter(slug=company.tier).latest("year"),
        currency=company.currency,
        values={
            "legal_name": company.legal_name,
            "name": company.name,
            "address": f"Harbour Street {len(company.name)}\n{company.name[:1]}-1000 Port Example",
            "country": company.country,
            "vat_number": "",
            "website": f"https://{domain}",
            "is_listed": True,
            "owner_name": alice.name if alice else company.owner,
            "owner_email": alice.email if alice else f"{company.owner.lower()}@{domain}",
            "billing_name": "Accounts",
            "billing_email": f"invoices@{domain}",
            "technical_name": "",
            "technical_email": "",
            "marketing_name": "",
            "marketing_email": "",
        },
    )
