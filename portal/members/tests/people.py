"""What tests of members share."""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.utils import timezone

from portal.accounts.actions.role import grant_role
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.lib.models import OutboxMail
from portal.lib.money import Money
from portal.members.actions.nomination import Case, approve_nomination, nominate
from portal.members.actions.organisation import Profile, register_organisation
from portal.members.actions.term import begin_term
from portal.members.actions.tier import define_kind, save_tier
from portal.members.models import (
    Benefit,
    BenefitKind,
    Contributor,
    Nomination,
    Organisation,
    Term,
    Tier,
)
from portal.payments.actions.order import place_order
from portal.payments.actions.refund import issue_credit_note
from portal.payments.models import CreditNote, Order
from portal.payments.tests.factories import make_payment
from tests.cast import make_person

DAY = timedelta(days=1)
YEAR = timedelta(days=365)


def case(name: str = "Gwen", email: str = "gwen@example.org") -> Case:
    return Case(name=name, email=email, did="Wrote tests.", links=["https://example.org/1"])


def make_nomination(actor: User, at: datetime | None = None, **who: str) -> Nomination:
    return nominate(actor=actor, case=case(**who), at=at or timezone.now())


def make_contributor(nominator: User, reviewer: User, at: datetime, **who: str) -> Contributor:
    """Somebody whose nomination was approved for a year; not accepted yet."""
    nomination = make_nomination(nominator, at, **who)
    standing = approve_nomination(actor=reviewer, nomination=nomination, until=at + YEAR, at=at)
    return standing.contributor


def make_secured(name: str) -> User:
    """Somebody without a role whose second factor is set up already."""
    user = make_person(name)
    TOTP.activate(user, generate_totp_secret())
    return user


def make_tier(
    slug: str = "gold", *, takes_part: bool = True, seats: int = 1, year: int = 0
) -> Tier:
    kind = define_kind(
        actor=None,
        slug="member" if takes_part else "sponsor",
        name="member" if takes_part else "sponsor",
        plural="members" if takes_part else "sponsors",
        takes_part=takes_part,
    )
    tier = Tier(
        year=year or timezone.now().year,
        slug=slug,
        name=slug.title(),
        kind=kind,
        rank=2,
        logo_size=Tier.LogoSize.MID,
    )
    benefits = [Benefit(kind=BenefitKind.SEATS, quantity=seats)] if seats else []
    return save_tier(actor=None, tier=tier, prices=[Money(100_00, "EUR")], benefits=benefits)


def make_organisation(name: str = "Acme", *, owner: User | None = None) -> Organisation:
    profile = Profile(name=name, legal_name=f"{name} GmbH", country="DE", is_listed=True)
    organisation = register_organisation(actor=None, profile=profile)
    if owner is not None:
        organisation.contacts.create(
            role=Role.OWNER, name=owner.name, email=owner.email, user=owner
        )
        grant_role(
            actor=None,
            user=owner,
            role=Role.OWNER,
            scope_kind=Scope.ORGANISATION,
            scope_slug=organisation.slug,
        )
    return organisation


def make_term(organisation: Organisation, tier: Tier, starts_at: datetime) -> Term:
    order = place_order(
        actor=None,
        description=f"{tier} {organisation}",
        amount=Money(100_00, "EUR"),
        billing_name=organisation.legal_name,
        billing_email="invoices@example.org",
    )
    return begin_term(organisation=organisation, tier=tier, order=order, starts_at=starts_at)


def letters(to: str = "") -> list[str]:
    """Subjects of the letters that were promised, oldest first."""
    found = OutboxMail.objects.order_by("pk")
    found = found.filter(recipient=to) if to else found
    return list(found.values_list("subject", flat=True))


def make_credit_note(order: Order) -> CreditNote:
    """That of a full refund."""
    entry = make_payment(order, -order.amount, kind="refund")
    return issue_credit_note(order, entry)
