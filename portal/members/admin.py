"""Tiers, organisations and terms on the staff pages."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from portal.members.models import (
    Benefit,
    Contact,
    Organisation,
    SupporterKind,
    Term,
    Tier,
    TierPrice,
)
from portal.payments.admin import ReadOnly, may_see_money


class Offered(ReadOnly):
    """What treasurer and staff may write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return may_see_money(request)

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return may_see_money(request)


@admin.register(SupporterKind)
class SupporterKindAdmin(Offered, admin.ModelAdmin[SupporterKind]):
    list_display = ["name", "plural", "takes_part"]


class PriceInline(ReadOnly, admin.TabularInline[TierPrice, Tier]):
    model = TierPrice
    extra = 0


class BenefitInline(ReadOnly, admin.TabularInline[Benefit, Tier]):
    model = Benefit
    extra = 0


@admin.register(Tier)
class TierAdmin(ReadOnly, admin.ModelAdmin[Tier]):
    """To read; they are written on pages of their own, `/staff/tiers/`."""

    list_display = ["name", "year", "kind", "rank", "capacity", "is_offered"]
    list_filter = ["year", "kind"]
    list_select_related = ["kind"]
    inlines = [PriceInline, BenefitInline]


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
