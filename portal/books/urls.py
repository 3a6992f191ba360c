"""Pages of this app."""

from django.urls import path

from portal.books.views import (
    dispute,
    event,
    ledger,
    order,
    paper,
    reconciliation,
    refund,
    transfer,
)

app_name = "books"

urlpatterns = [
    path("", order.order_list, name="orders"),
    path("orders.csv", order.order_csv, name="orders_csv"),
    path("orders/<uuid:reference>/", order.order_detail, name="order"),
    path("orders/<uuid:reference>/transfer/", transfer.transfer, name="transfer"),
    path("entries/<int:pk>/correction/", transfer.correction, name="correction"),
    path("entries/<int:pk>/refund/", refund.refund, name="refund"),
    path("ledger/", ledger.entry_list, name="ledger"),
    path("ledger.csv", ledger.entry_csv, name="ledger_csv"),
    path("balances/", ledger.balance_list, name="balances"),
    path("balances.csv", ledger.balance_csv, name="balances_csv"),
    path("reconciliations/", reconciliation.reconciliation_list, name="reconciliations"),
    path("reconciliations/now/", reconciliation.reconciliation_now, name="reconciliation_now"),
    path("reconciliations/<int:pk>/", reconciliation.reconciliation_detail, name="reconciliation"),
    path("events/", event.event_list, name="events"),
    path("events/fetch/", event.event_fetch, name="event_fetch"),
    path("events/retry/", event.event_retry_all, name="event_retry_all"),
    path("events/<int:pk>/", event.event_detail, name="event"),
    path("events/<int:pk>/retry/", event.event_retry, name="event_retry"),
    path("disputes/", dispute.dispute_list, name="disputes"),
    path("invoices/<str:number>.pdf", paper.invoice, name="invoice"),
    path("receipts/<str:number>.pdf", paper.receipt, name="receipt"),
    path("credit-notes/<str:number>.pdf", paper.credit_note, name="credit_note"),
]
