from portal.payments.models.alias import PaymentAlias
from portal.payments.models.checkout import Checkout, CheckoutState
from portal.payments.models.coupon import Coupon
from portal.payments.models.customer import Customer
from portal.payments.models.dispute import Dispute, DisputeState
from portal.payments.models.event import ProviderEvent
from portal.payments.models.failure import FailedCharge
from portal.payments.models.invoice import CreditNote, Invoice, InvoiceState
from portal.payments.models.ledger import LedgerEntry
from portal.payments.models.order import Order
from portal.payments.models.series import NumberSeries
from portal.payments.models.subscription import Subscription, SubscriptionState

__all__ = [
    "Checkout",
    "CheckoutState",
    "Coupon",
    "CreditNote",
    "Customer",
    "Dispute",
    "DisputeState",
    "FailedCharge",
    "Invoice",
    "InvoiceState",
    "LedgerEntry",
    "NumberSeries",
    "Order",
    "PaymentAlias",
    "ProviderEvent",
    "Subscription",
    "SubscriptionState",
]
