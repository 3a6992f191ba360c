"""Donations to read, and the currencies that the staff keep."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from portal.donations.models import Donation, DonationCurrency
from portal.lib import audit
from portal.payments.admin import ReadOnly


@admin.register(Donation)
class DonationAdmin(ReadOnly, admin.ModelAdmin[Donation]):
    list_display = ["name", "amount", "interval", "first_paid_at", "created_at"]
    list_filter = ["interval", "dedication_state", "first_paid_at"]
    list_select_related = ["order", "subscription"]
    search_fields = ["name", "email", "order__receipt_number"]


@admin.register(DonationCurrency)
class DonationCurrencyAdmin(admin.ModelAdmin[DonationCurrency]):
    list_display = ["currency", "minimum", "maximum", "once", "monthly", "yearly", "rank"]

    def save_model(
        self,
        request: HttpRequest,
        obj: DonationCurrency,
        form: forms.ModelForm[Any],
        change: bool,
    ) -> None:
        super().save_model(request, obj, form, change)
        changed = {name: str(getattr(obj, name)) for name in form.changed_data}
        actor: Any = request.user
        audit.record(actor=actor, verb="donation.currency", subject=obj, **changed)
