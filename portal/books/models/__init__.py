from portal.books.models.reconciliation import Difference, Reconciliation
from portal.books.models.refund import RefundRequest, RefundState

__all__ = ["Difference", "Reconciliation", "RefundRequest", "RefundState"]
