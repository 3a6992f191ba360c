"""Tiers, organisations and terms on the staff pages."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from portal.accounts.models import User
from portal.members.actions.tier import save_tier
from portal.members.models import Contact, Organisation, SupporterKind, Term, Tier, TierPrice
from portal.payments.admin import ReadOnly, may_see_money


class Offered(ReadOnly):
    """What treasurer and staff may write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return may_see_money(request)

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return may_see_money(request)


class PriceInline(Offered, admin.TabularInline[TierPrice, Tier]):
    model = TierPrice
    extra = 1


@admin.register(SupporterKind)
class SupporterKindAdmin(Offered, admin.ModelAdmin[SupporterKind]):
    list_display = ["name", "plural", "takes_part"]


@admin.register(Tier)
class TierAdmin(Offered, admin.ModelAdmin[Tier]):
    list_display = ["name", "year", "kind", "rank", "capacity", "is_offered"]
    list_filter = ["year", "kind"]
    inlines = [PriceInline]

    def save_model(
        self, request: HttpRequest, obj: Tier, form: forms.ModelForm[Any], change: bool
    ) -> None:
        save_tier(actor=cast(User, request.user), tier=obj)


class ContactInline(ReadOnly, admin.TabularInline[Contact, Organisation]):
    model = Contact
    extra = 0


@admin.register(Organisation)
class OrganisationAdmin(ReadOnly, admin.ModelAdmin[Organisation]):
    list_display = ["name", "legal_name", "country", "is_listed", "created_at"]
    search_fields = ["name", "legal_name"]
    exclude = ["logo"]
    inlines = [ContactInline]


@admin.register(Term)
class TermAdmin(ReadOnly, admin.ModelAdmin[Term]):
    list_display = ["organisation", "tier_name", "kind_name", "starts_at", "ends_at", "ended_at"]
    list_filter = ["kind_name", "tier_name"]
    list_select_related = ["organisation"]
