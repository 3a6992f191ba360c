"""Orders, events and the ledger on the staff pages: to read, and two verbs for the treasurer."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from portal.accounts.roles import Role, has_role
from portal.payments.models import (
    Checkout,
    Coupon,
    CreditNote,
    Customer,
    Dispute,
    FailedCharge,
    Invoice,
    LedgerEntry,
    Order,
    PaymentAlias,
    ProviderEvent,
    Subscription,
)


def may_see_money(request: HttpRequest) -> bool:
    """Treasurer, staff and administrators."""
    user = request.user
    return user.is_active and (
        getattr(user, "is_superuser", False) or has_role(user, Role.TREASURER, Role.STAFF)
    )


class ReadOnly:
    """Rows that only actions write. Mix in before ModelAdmin."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_see_money(request)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return may_see_money(request)

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Order)
class OrderAdmin(ReadOnly, admin.ModelAdmin[Order]):
    list_display = ["description", "billing_name", "amount", "state", "receipt_number", "paid_at"]
    list_filter = ["state", "currency"]
    search_fields = ["billing_name", "billing_email", "receipt_number", "reference"]


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnly, admin.ModelAdmin[LedgerEntry]):
    list_display = ["occurred_at", "order", "kind", "amount", "provider", "provider_ref"]
    list_filter = ["kind", "currency", "provider"]
    search_fields = ["provider_ref", "order__billing_name", "order__receipt_number"]
    list_select_related = ["order"]


@admin.register(Checkout)
class CheckoutAdmin(ReadOnly, admin.ModelAdmin[Checkout]):
    list_display = ["order", "provider", "state", "created_at"]
    list_filter = ["state", "provider"]
    list_select_related = ["order"]


@admin.register(ProviderEvent)
class ProviderEventAdmin(ReadOnly, admin.ModelAdmin[ProviderEvent]):
    list_display = ["received_at", "kind", "outcome", "attempts", "last_error"]
    list_filter = ["outcome", "kind"]
    search_fields = ["event_id"]


@admin.register(Customer)
class CustomerAdmin(ReadOnly, admin.ModelAdmin[Customer]):
    list_display = ["name", "email", "provider", "customer_id"]
    search_fields = ["name", "email", "customer_id"]


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnly, admin.ModelAdmin[Subscription]):
    list_display = ["description", "customer", "price", "state", "current_period_end"]
    list_filter = ["state", "interval"]
    list_select_related = ["customer"]
    search_fields = ["description", "subscription_id", "reference", "customer__name"]


@admin.register(Invoice)
class InvoiceAdmin(ReadOnly, admin.ModelAdmin[Invoice]):
    list_display = ["number", "order", "issued_at", "due_at", "voided_at"]
    list_select_related = ["order"]
    search_fields = ["number", "provider_number", "order__billing_name", "provider_invoice_id"]


@admin.register(CreditNote)
class CreditNoteAdmin(ReadOnly, admin.ModelAdmin[CreditNote]):
    list_display = ["number", "order", "issued_at", "amount", "annulled_at"]
    list_select_related = ["order"]
    search_fields = ["number", "order__billing_name"]


@admin.register(Dispute)
class DisputeAdmin(ReadOnly, admin.ModelAdmin[Dispute]):
    list_display = ["dispute_id", "order", "amount", "state", "reason", "evidence_due_at"]
    list_filter = ["state"]
    list_select_related = ["order"]
    search_fields = ["dispute_id", "order__billing_name"]


@admin.register(FailedCharge)
class FailedChargeAdmin(ReadOnly, admin.ModelAdmin[FailedCharge]):
    list_display = ["failed_at", "subscription", "order", "amount", "attempt", "next_attempt_at"]
    list_select_related = ["subscription", "order"]


@admin.register(Coupon)
class CouponAdmin(ReadOnly, admin.ModelAdmin[Coupon]):
    list_display = ["code", "percent", "amount_minor", "currency", "valid_until", "uses_left"]
    search_fields = ["code", "note"]


@admin.register(PaymentAlias)
class PaymentAliasAdmin(ReadOnly, admin.ModelAdmin[PaymentAlias]):
    list_display = ["alias", "payment_ref", "provider"]
    search_fields = ["alias", "payment_ref"]
