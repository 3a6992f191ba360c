"""What a person may do: dated grants of a role, for one thing or for the whole foundation.

Upper apps write grants through `actions/role.py`; the scope is text, so accounts point to nobody.
"""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    OWNER = "owner", _("Organisation owner")
    BILLING = "billing", _("Billing contact")
    TECHNICAL = "technical", _("Technical contact")
    MARKETING = "marketing", _("Marketing contact")
    CONTRIBUTOR = "contributor", _("Contributor")
    DIRECTOR = "director", _("Director")
    COUNCIL = "council", _("Council member")
    SECRETARY = "secretary", _("Secretary of a body")
    RELEASE_MANAGER = "release_manager", _("Release manager")
    TREASURER = "treasurer", _("Treasurer")
    EDITOR = "editor", _("Editor of the news")
    ELECTION_OFFICER = "election_officer", _("Election officer")
    BENCHMARKS = "benchmarks", _("Maintainer of benchmarks")
    STAFF = "staff", _("Staff")


class Scope(models.TextChoices):
    FOUNDATION = "foundation", _("the foundation")
    ORGANISATION = "organisation", _("an organisation")
    PRODUCT = "product", _("a product")
    BODY = "body", _("a body")


# What each role is given for; the grants page offers no other.
SCOPE_OF: dict[Role, Scope] = {
    Role.OWNER: Scope.ORGANISATION,
    Role.BILLING: Scope.ORGANISATION,
    Role.TECHNICAL: Scope.ORGANISATION,
    Role.MARKETING: Scope.ORGANISATION,
    Role.CONTRIBUTOR: Scope.FOUNDATION,
    Role.DIRECTOR: Scope.BODY,
    Role.COUNCIL: Scope.BODY,
    Role.SECRETARY: Scope.BODY,
    Role.RELEASE_MANAGER: Scope.PRODUCT,
    Role.TREASURER: Scope.FOUNDATION,
    Role.EDITOR: Scope.FOUNDATION,
    Role.ELECTION_OFFICER: Scope.FOUNDATION,
    Role.BENCHMARKS: Scope.FOUNDATION,
    Role.STAFF: Scope.FOUNDATION,
}


def has_role(
    user: models.Model | AnonymousUser,
    *roles: Role,
    scope_kind: Scope = Scope.FOUNDATION,
    scope_slug: str = "",
    at: datetime | None = None,
) -> bool:
    """Whether `user` holds one of `roles` at that time, for that scope or for all of its kind.

    A grant with an empty slug covers every thing of its kind.
    """
    from portal.accounts.models import RoleGrant

    if isinstance(user, AnonymousUser) or not getattr(user, "is_active", False):
        return False
    return (
        RoleGrant.objects.active_on(at or timezone.now())
        .filter(user_id=user.pk, role__in=roles, scope_kind=scope_kind)
        .filter(scope_slug__in=["", scope_slug])
        .exists()
    )
