"""What members and the apps below keep of an organisation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from django.db.models import Q, QuerySet

from portal.accounts.models import RoleGrant
from portal.accounts.roles import Scope
from portal.members.belongings import Belongings, File
from portal.members.correspondence import letters_of
from portal.members.models import (
    BenefitUse,
    Cancellation,
    Contact,
    Delivery,
    Entitlement,
    Logo,
    LogoChange,
    Organisation,
    RenewalStop,
    Subscriber,
    Term,
    Transfer,
)
from portal.members.papers import credit_notes_of, invoices_of, orders_of
from portal.payments import receipt_pdf
from portal.payments.actions.invoice import credit_note_file, invoice_file
from portal.payments.models import (
    Checkout,
    CreditNote,
    Customer,
    Dispute,
    FailedCharge,
    Invoice,
    LedgerEntry,
    Order,
    Subscription,
)

ELSEWHERE: Final = {
    "members.dataexport": "files such as this one, kept for some days",
    "payments.providerevent": "messages of the provider as they came; what they say is booked",
    "donations.donation": "gifts of individuals have orders of their own",
    "books.difference": "notes of the treasurer's comparison; the entries are in the ledger",
}


def records(organisation: Organisation) -> Iterator[QuerySet[Any]]:
    terms = Term.objects.filter(organisation=organisation)
    subscribers = Subscriber.objects.filter(organisation=organisation)
    entitlements = Entitlement.objects.filter(term__in=terms)
    yield Organisation.objects.filter(pk=organisation.pk)
    yield Contact.objects.filter(organisation=organisation)
    yield RoleGrant.objects.filter(scope_kind=Scope.ORGANISATION, scope_slug=organisation.slug)
    yield Transfer.objects.filter(organisation=organisation)
    yield logos(organisation)
    yield LogoChange.objects.filter(organisation=organisation)
    yield terms
    yield Cancellation.objects.filter(term__in=terms)
    yield entitlements
    yield BenefitUse.objects.filter(entitlement__in=entitlements)
    yield subscribers
    yield Delivery.objects.filter(subscriber__in=subscribers)
    yield letters_of(organisation)
    yield from _money(organisation)


def _money(organisation: Organisation) -> Iterator[QuerySet[Any]]:
    orders = [order.pk for order in orders_of(organisation)]
    subscriptions = Subscription.objects.filter(orders__in=orders).distinct()
    customers = Q(orders__in=orders) | Q(subscriptions__in=subscriptions)
    charges = Q(order__in=orders) | Q(subscription__in=subscriptions)
    yield Order.objects.filter(pk__in=orders)
    yield LedgerEntry.objects.filter(order__in=orders)
    yield Invoice.objects.filter(order__in=orders).defer("pdf")
    yield CreditNote.objects.filter(order__in=orders).defer("pdf")
    yield Customer.objects.filter(customers).distinct()
    yield subscriptions
    yield RenewalStop.objects.filter(subscription__in=subscriptions)
    yield Checkout.objects.filter(order__in=orders)
    yield Dispute.objects.filter(order__in=orders)
    yield FailedCharge.objects.filter(charges).distinct()


def logos(organisation: Organisation) -> QuerySet[Logo]:
    """Every picture that it ever showed."""
    shown = Q(changes__organisation=organisation) | Q(organisations=organisation)
    return Logo.objects.filter(shown).distinct()


def files(organisation: Organisation) -> Iterator[File]:
    orders = orders_of(organisation)
    for invoice in invoices_of(orders):
        yield f"invoices/{invoice.number}.pdf", partial(invoice_file, invoice)
    for order in orders:
        if order.was_paid:
            yield f"receipts/{order.receipt_number}.pdf", partial(receipt_pdf.write, order)
    for note in credit_notes_of(orders):
        yield f"credit-notes/{note.number}.pdf", partial(credit_note_file, note)
    for logo in logos(organisation):
        yield f"logos/{logo}", partial(bytes, logo.content)


BELONGINGS = Belongings(name="members", records=records, files=files, elsewhere=ELSEWHERE)
