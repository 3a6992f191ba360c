"""Which verb books which fact. Everything here may run twice and in any sequence."""

from collections.abc import Callable
from typing import Any

from portal.payments.actions.checkout import book_session, note_declined
from portal.payments.actions.dispute import book_dispute
from portal.payments.actions.provider_invoice import (
    book_paid_invoice,
    learn_payment,
    note_failed_invoice,
    note_issued_invoice,
    note_voided_invoice,
)
from portal.payments.actions.refund import book_refund
from portal.payments.actions.subscription import book_subscription
from portal.payments.actions.touched import Touched
from portal.payments.events import facts

BOOKS: dict[type, Callable[[str, Any], Touched]] = {
    facts.Paid: book_session,
    facts.Begun: book_session,
    facts.Unpaid: book_session,
    facts.AsyncFailed: book_session,
    facts.Expired: book_session,
    facts.Declined: note_declined,
    facts.Named: learn_payment,
    facts.Refunded: book_refund,
    facts.InvoicePaid: book_paid_invoice,
    facts.InvoiceFailed: note_failed_invoice,
    facts.InvoiceIssued: note_issued_invoice,
    facts.InvoiceVoided: note_voided_invoice,
    facts.SubscriptionTold: book_subscription,
    facts.DisputeTold: book_dispute,
}


def apply_fact(*, provider: str, fact: facts.Fact) -> Touched:
    """Book one fact, in the caller's transaction; nothing is touched when it is about somebody
    else's business.

    Raises PaymentUnknownError for a refund or dispute that came before its payment.
    """
    return BOOKS[type(fact)](provider, fact)
