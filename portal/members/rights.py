"""What each contact of an organisation may see and do on its own pages."""

from __future__ import annotations

from collections.abc import Mapping, Set
from enum import StrEnum
from typing import Final

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone

from portal.accounts.access import signed_in
from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.members.models import Organisation

EVERY_CONTACT: Final = frozenset({Role.OWNER, Role.BILLING, Role.TECHNICAL, Role.MARKETING})


class Part(StrEnum):
    OVERVIEW = "overview"  # status, term, contacts, benefits
    LETTERS = "letters"  # the owner sees all, others those to their own contacts
    MONEY = "money"  # invoices, receipts, payment method, billing details
    PROFILE = "profile"  # logo, name, web address, whether it is named
    NOTICES = "notices"  # security notices before everyone
    WHOLE = "whole"  # export of everything, end of the membership


RIGHTS: Final[dict[Part, Set[Role]]] = {
    Part.OVERVIEW: EVERY_CONTACT,
    Part.LETTERS: EVERY_CONTACT,
    Part.MONEY: frozenset({Role.OWNER, Role.BILLING}),
    Part.PROFILE: frozenset({Role.OWNER, Role.MARKETING}),
    Part.NOTICES: frozenset({Role.OWNER, Role.TECHNICAL}),
    Part.WHOLE: frozenset({Role.OWNER}),
}

# The fields of the details page.
EDITABLE: Final[dict[Part, tuple[str, ...]]] = {
    Part.WHOLE: ("legal_name",),
    Part.PROFILE: ("name", "website"),
    Part.MONEY: ("address", "country", "vat_number", "invoice_email"),
    Part.NOTICES: ("notices_email",),
}


def own_organisation(request: HttpRequest, slug: str, part: Part) -> Organisation:
    """The organisation, for somebody who may do that part there; else 404."""
    allowed = Organisation.objects.of(signed_in(request), timezone.now(), *RIGHTS[part])
    return get_object_or_404(allowed.select_related("logo"), slug=slug)


def rights_of(user: User, organisation: Organisation) -> dict[str, bool]:
    """Each part by name, for templates."""
    held = Organisation.objects.roles_of(user, organisation, timezone.now())
    return {part.value: bool(held & roles) for part, roles in RIGHTS.items()}


def editable(may: Mapping[str, bool]) -> list[str]:
    """The fields that somebody with these rights may change."""
    return [field for part, fields in EDITABLE.items() if may[part.value] for field in fields]
