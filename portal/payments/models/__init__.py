from portal.payments.models.checkout import Checkout, CheckoutState
from portal.payments.models.event import ProviderEvent
from portal.payments.models.ledger import LedgerEntry
from portal.payments.models.order import Order, ReceiptCounter

__all__ = ["Checkout", "CheckoutState", "LedgerEntry", "Order", "ProviderEvent", "ReceiptCounter"]
