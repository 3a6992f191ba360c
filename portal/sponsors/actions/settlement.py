"""What a payment or a refund means for a supporter. Runs as often as you like."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from portal.lib import audit
from portal.members.actions.term import arrange_line, begin_term, end_term, resume_term
from portal.members.models import Organisation, Term
from portal.payments.actions.payment import as_entries
from portal.payments.actions.touched import Touched
from portal.payments.arithmetic import EntryKind, OrderState, standing
from portal.payments.models import CheckoutState, FailedCharge, Order, Subscription
from portal.sponsors import letters, renewal_letters
from portal.sponsors.actions.period import application_of_period, line_of
from portal.sponsors.actions.registration import register
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState

HAVE = {OrderState.PAID, OrderState.PARTLY_REFUNDED}
CORRECTED = "payment corrected"
ENDED_BY_MONEY = {"refunded", "disputed", CORRECTED}
LETTERS = {
    EntryKind.REFUND.value: letters.refunded,
    EntryKind.DISPUTE.value: letters.suspended,
    EntryKind.DISPUTE_RETURNED.value: letters.resumed,
}


def follow(touched: Touched) -> None:
    """Settle the applications whose orders and subscriptions an event was about."""
    for order in touched.orders:
        settle_order(order=order)
    for subscription in touched.subscriptions:
        settle_subscription(subscription=subscription)


@transaction.atomic(savepoint=False)
def settle_order(*, order: Order) -> None:
    """Make application and term say what the order's ledger says."""
    application = _locked(order) or application_of_period(order)
    if application is None or application.order is None:
        return
    paid_at = application.order.paid_at
    if paid_at is not None:
        known = Term.objects.filter(order=order).first()
        term = known or _admit(application, application.order, paid_at)
        if _follow_refunds(application, application.order, term) or known:
            arrange_line(line=term.line)
    else:
        _follow_correction(application, application.order)
    for checkout in application.order.checkouts.filter(state=CheckoutState.FAILED):
        letters.payment_failed(application, checkout)


@transaction.atomic(savepoint=False)
def settle_subscription(*, subscription: Subscription) -> None:
    """What the provider tells of it besides money: it is to end, or a charge failed."""
    own = Application.objects.filter(order__subscription=subscription, organisation__isnull=False)
    application = own.select_related("order", "organisation", "tier__kind").order_by("pk").first()
    if application is None:
        return
    line = line_of(application)
    if line is not None:
        arrange_line(line=line)
        _tell_failed_charges(subscription, line)


def _locked(order: Order) -> Application | None:
    rows = Application.objects.select_for_update(of=("self",)).filter(order=order)
    known = rows.select_related("tier__kind", "order", "logo", "applicant", "organisation")
    return known.select_related("renews", "replaces").first()


def _admit(application: Application, order: Order, paid_at: datetime) -> Term:
    """The money came: organisation, contacts, term and receipt, once."""
    if application.organisation is None:
        organisation = register(application)
    else:  # its lines are put in place one after another
        rows = Organisation.objects.select_for_update(no_key=True)
        organisation = rows.get(pk=application.organisation.pk)
    term = begin_term(
        organisation=organisation,
        tier=application.tier,
        order=order,
        starts_at=paid_at,
        line=line_of(application),
        is_upgrade=application.replaces_id is not None,
    )
    arrange_line(line=term.line)
    application.organisation = organisation
    application.state = ApplicationState.ACTIVE
    application.save()
    term.refresh_from_db()
    letters.paid(application, term)
    audit.record(actor=application.applicant, verb="application.paid", subject=application)
    return term


def _follow_refunds(application: Application, order: Order, term: Term) -> bool:
    """Whether anything but the payment is booked."""
    booked = list(order.entries.order_by("id"))
    for entry in booked:
        if entry.kind in LETTERS:
            LETTERS[entry.kind](application, entry)
    now = standing(order.amount, as_entries(booked))
    if now.state == OrderState.REFUNDED and now.refunded_at is not None:
        end_term(term=term, at=now.refunded_at, reason="refunded")
        _move(application, ApplicationState.REFUNDED)
    elif now.state == OrderState.DISPUTED and now.refunded_at is not None:
        end_term(term=term, at=now.refunded_at, reason="disputed")
        _move(application, ApplicationState.REFUNDED)
    elif now.state in HAVE and term.end_reason in ENDED_BY_MONEY:
        resume_term(term=term)
        _move(application, ApplicationState.ACTIVE)
    return len(booked) > 1


def _follow_correction(application: Application, order: Order) -> None:
    """A payment that began a term was booked by mistake: the term waits for the real one."""
    corrections = order.entries.filter(kind=EntryKind.CORRECTION.value)
    term = Term.objects.filter(order=order).first()
    newest = corrections.order_by("occurred_at").last()
    if term is not None and newest is not None and term.ended_at is None:
        Term.objects.filter(pk=term.pk).update(renews=None)
        end_term(term=term, at=newest.occurred_at, reason=CORRECTED)
        _move(application, ApplicationState.PAYMENT)
        arrange_line(line=term.line)


def _tell_failed_charges(subscription: Subscription, line: UUID) -> None:
    """Of periods that are not paid by now: a late alarm would be a false one."""
    paid = subscription.orders.filter(paid_at__isnull=False).values("provider_invoice_id")
    charges = FailedCharge.objects.filter(subscription=subscription)
    newest = Term.objects.filter(line=line).select_related("organisation").last_of_line()
    for charge in charges.exclude(provider_invoice_id__in=paid).order_by("attempt"):
        if newest is not None:
            renewal_letters.charge_failed(newest, charge)


def _move(application: Application, state: ApplicationState) -> None:
    if application.state != state:
        application.state = state
        application.save()
