from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, Min, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from portal.lib.countries import COUNTRIES, NAMES
from portal.members.models.term import Term

CONTACT_ROLES = [Role.OWNER, Role.BILLING, Role.TECHNICAL, Role.MARKETING]


class OrganisationQuerySet(models.QuerySet["Organisation"]):
    def active_on(self, at: datetime) -> OrganisationQuerySet:
        """Paid and in term at that moment."""
        terms = Term.objects.active_on(at).filter(organisation=OuterRef("pk"))
        return self.filter(Exists(terms))

    def supported(self, at: datetime) -> OrganisationQuerySet:
        """Whom the supporters page names: paid, in term, and they agreed to be named."""
        return self.active_on(at).filter(is_listed=True)

    def members_on(self, at: datetime) -> OrganisationQuerySet:
        """Those whose kind takes part in governance at that moment."""
        terms = Term.objects.active_on(at).filter(takes_part=True, organisation=OuterRef("pk"))
        return self.filter(Exists(terms))

    def directory(self, at: datetime) -> OrganisationQuerySet:
        """Members who agreed to be named, longest first, with `tier`, its rank, and `since`."""
        running = Term.objects.active_on(at).filter(takes_part=True, organisation=OuterRef("pk"))
        best = running.best_first()
        return (
            self.members_on(at)
            .filter(is_listed=True)
            .annotate(
                tier=Subquery(best.values("tier_name")[:1]),
                tier_rank=Subquery(best.values("tier_rank")[:1]),
                since=Min("terms__starts_at", filter=Q(terms__takes_part=True)),
            )
            .order_by("since", "name")
        )

    def early_notices(self, at: datetime) -> OrganisationQuerySet:
        """Those that are told of security faults before everyone, as they bought it."""
        terms = Term.objects.active_on(at).filter(early_notices=True, organisation=OuterRef("pk"))
        return self.filter(Exists(terms))

    def of(self, user: User | AnonymousUser, at: datetime, *roles: Role) -> OrganisationQuerySet:
        """Those in which `user` holds one of `roles` (without any: one of the contact roles)."""
        if not isinstance(user, User):
            return self.none()
        grants = RoleGrant.objects.active_on(at).of(user)
        slugs = grants.filter(scope_kind=Scope.ORGANISATION, role__in=roles or CONTACT_ROLES)
        return self.filter(slug__in=slugs.exclude(scope_slug="").values("scope_slug"))

    def roles_of(self, user: User, organisation: Organisation, at: datetime) -> set[str]:
        """The roles that `user` holds in one of them."""
        grants = RoleGrant.objects.active_on(at).of(user).filter(scope_kind=Scope.ORGANISATION)
        return set(grants.filter(scope_slug=organisation.slug).values_list("role", flat=True))


class Organisation(models.Model):
    """A business that supports the foundation, or did."""

    slug = models.SlugField(_("address"), max_length=80, unique=True)
    name = models.CharField(_("name to show"), max_length=120)
    legal_name = models.CharField(_("legal name"), max_length=200)
    country = models.CharField(_("country"), max_length=2, choices=COUNTRIES)
    vat_number = models.CharField(_("VAT number"), max_length=20, blank=True)
    address = models.TextField(_("postal address"), max_length=300, blank=True)
    invoice_email = models.EmailField(_("e-mail for invoices"), blank=True)
    notices_email = models.EmailField(_("e-mail for security notices"), blank=True)
    website = models.URLField(_("web address"), blank=True)
    logo = models.ForeignKey(
        "members.Logo",
        verbose_name=_("logo"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="organisations",
    )
    is_listed = models.BooleanField(_("agreed to be named"), default=False)
    created_at = models.DateTimeField(_("since"), default=timezone.now, editable=False)

    objects: ClassVar[OrganisationQuerySet] = OrganisationQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("organisation")
        verbose_name_plural = _("organisations")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_country_display(self) -> str:  # type: ignore[no-redef]  # the plugin adds Django's
        """Django's own goes through all countries, each translated, for every row of a list."""
        return str(NAMES.get(self.country, self.country))

    def advisory_seats(self, at: datetime) -> int:
        """How many people it may send to the advisory list at that moment."""
        terms = self.terms.active_on(at)
        return max((term.advisory_seats for term in terms), default=0)
