"""What pages of other apps show of organisations: `{% organisation_pages organisation %}`, the
pages of it that this person may open, and `{% offers as waiting %}`, what waits for their answer.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.utils import timezone

from portal.accounts.models import User
from portal.members.models import Organisation
from portal.members.offers import Offer, offers_to
from portal.members.rights import rights_of

register = template.Library()


@register.inclusion_tag("members/organisation_pages.html", takes_context=True)
def organisation_pages(context: Context, organisation: Organisation) -> dict[str, Any]:
    request = context["request"]
    user = request.user
    may = rights_of(user, organisation) if isinstance(user, User) else {}
    return {"request": request, "organisation": organisation, "may": may}


@register.simple_tag(takes_context=True)
def offers(context: Context) -> list[Offer]:
    user = context["request"].user
    return offers_to(user, timezone.now()) if isinstance(user, User) else []
