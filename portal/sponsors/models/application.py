from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.lib.countries import COUNTRIES
from portal.lib.money import Money
from portal.members.models import Logo, Organisation, Term, Tier
from portal.payments.arithmetic import OrderState
from portal.payments.models import Invoice, Order
from portal.sponsors.models.agreement import Agreement


class ApplicationState(models.TextChoices):
    DRAFT = "draft", _("draft")
    REVIEW = "review", _("in review")
    PAYMENT = "payment", _("awaiting payment")
    ACTIVE = "active", _("active")
    REJECTED = "rejected", _("rejected")
    RELEASED = "released", _("place given up")
    REFUNDED = "refunded", _("refunded")
    LAPSED = "lapsed", _("lapsed")


class PaysBy(models.TextChoices):
    CARD = "card", _("card, now")
    INVOICE = "invoice", _("invoice and bank transfer")


# A place is taken when the application is sent, and free again when it came to nothing.
UNDER_WAY = [ApplicationState.REVIEW, ApplicationState.PAYMENT]
HOLDS_PLACE = [*UNDER_WAY, ApplicationState.ACTIVE]


PAID = [OrderState.PAID, OrderState.PARTLY_REFUNDED]


class ApplicationQuerySet(models.QuerySet["Application"]):
    def open_to(
        self, user: User | AnonymousUser, references: Iterable[uuid.UUID], at: datetime
    ) -> ApplicationQuerySet:
        """Those of the account and of the organisations whose money it looks after, and those
        whose key this visitor's session holds."""
        allowed = Q(reference__in=list(references))
        if isinstance(user, User):
            own = Organisation.objects.of(user, at, Role.OWNER, Role.BILLING)
            allowed |= Q(applicant=user) | Q(organisation__in=own)
        return self.filter(allowed)

    def holding_place(self, at: datetime) -> ApplicationQuerySet:
        """Under way, or paid and not over: until the end of the grace, or of a term to come."""
        running = Term.objects.active_on(at) | Term.objects.filter(starts_at__gt=at)
        paid = Q(state=ApplicationState.ACTIVE, order__term__in=running.filter(ended_at=None))
        return self.filter(Q(state__in=UNDER_WAY) | paid)

    def unfinished(self) -> ApplicationQuerySet:
        """What somebody may go on with."""
        states = [ApplicationState.DRAFT, ApplicationState.REVIEW, ApplicationState.PAYMENT]
        return self.filter(state__in=states)

    def overdue(self, at: datetime) -> ApplicationQuerySet:
        """Unpaid ones whose place was kept long enough."""
        return self.filter(state=ApplicationState.PAYMENT, held_until__lte=at)

    def awaiting_invoice(self) -> ApplicationQuerySet:
        """Paid by invoice, which the provider was not told of yet."""
        unsent = Invoice.objects.valid().filter(provider_invoice_id="", order=OuterRef("order"))
        payable = self.filter(state=ApplicationState.PAYMENT, pays_by=PaysBy.INVOICE)
        waiting = payable.filter(Exists(unsent)).exclude(order__state__in=PAID)
        return waiting.select_related("order", "tier__kind", "organisation").order_by("pk")

    def invoice_overdue(self, at: datetime) -> ApplicationQuerySet:
        """Their invoice was to be paid before that moment."""
        unpaid = Invoice.objects.overdue(at).filter(order=OuterRef("order"))
        payable = self.filter(state=ApplicationState.PAYMENT, pays_by=PaysBy.INVOICE)
        return payable.filter(Exists(unpaid)).select_related("order", "tier__kind")

    def abandoned(self, before: datetime) -> ApplicationQuerySet:
        return self.filter(state=ApplicationState.DRAFT, changed_at__lt=before)


class Application(models.Model):
    """A company's sign-up, from the first saved draft on."""

    reference = models.UUIDField(_("reference"), default=uuid.uuid4, unique=True, editable=False)
    state = models.CharField(
        _("state"), max_length=10, choices=ApplicationState, default=ApplicationState.DRAFT
    )
    tier = models.ForeignKey(
        Tier, verbose_name=_("tier"), on_delete=models.PROTECT, related_name="applications"
    )
    currency = models.CharField(_("currency"), max_length=3)
    applicant = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="applications",
    )

    legal_name = models.CharField(_("legal name"), max_length=200)
    name = models.CharField(_("name to show"), max_length=120)
    address = models.TextField(_("postal address"), max_length=300, blank=True)
    country = models.CharField(_("country"), max_length=2, choices=COUNTRIES)
    vat_number = models.CharField(_("VAT number"), max_length=20, blank=True)
    website = models.URLField(_("web address"), blank=True)
    is_listed = models.BooleanField(_("show us on the supporters page"), default=True)
    owner_name = models.CharField(_("owner, name"), max_length=120)
    owner_email = models.EmailField(_("owner, e-mail"))
    billing_name = models.CharField(_("billing, name"), max_length=120, blank=True)
    billing_email = models.EmailField(_("billing, e-mail"), blank=True)
    technical_name = models.CharField(_("technical, name"), max_length=120, blank=True)
    technical_email = models.EmailField(_("technical, e-mail"), blank=True)
    marketing_name = models.CharField(_("marketing, name"), max_length=120, blank=True)
    marketing_email = models.EmailField(_("marketing, e-mail"), blank=True)
    logo = models.ForeignKey(
        Logo,
        verbose_name=_("logo"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="applications",
    )

    agreement = models.ForeignKey(
        Agreement,
        verbose_name=_("agreement"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="applications",
    )
    agreement_sha256 = models.CharField(
        _("SHA-256 of the accepted text"), max_length=64, blank=True
    )
    accepted_by = models.CharField(_("accepted by"), max_length=120, blank=True)
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)

    organisation = models.ForeignKey(
        Organisation,
        verbose_name=_("organisation"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="applications",
    )
    order = models.OneToOneField(
        Order,
        verbose_name=_("order"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="application",
    )
    pays_by = models.CharField(_("paid by"), max_length=10, choices=PaysBy, default=PaysBy.CARD)
    is_recurring = models.BooleanField(_("renews by itself"), default=False)
    coupon_code = models.CharField(_("coupon"), max_length=40, blank=True)
    agreed_minor = models.BigIntegerField(
        _("price when it was sent, in minor units"), null=True, blank=True, editable=False
    )
    renews = models.ForeignKey(
        Term,
        verbose_name=_("renews"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="renewals",
    )
    replaces = models.ForeignKey(
        Term,
        verbose_name=_("takes the place of"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="upgrades",
    )
    reason = models.TextField(_("reason of the decision"), blank=True)
    created_at = models.DateTimeField(_("begun"), default=timezone.now, editable=False)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)
    submitted_at = models.DateTimeField(_("sent"), null=True, blank=True)
    held_until = models.DateTimeField(_("place kept until"), null=True, blank=True)

    objects: ClassVar[ApplicationQuerySet] = ApplicationQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("application")
        verbose_name_plural = _("applications")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state=ApplicationState.DRAFT)
                | Q(agreement__isnull=False, accepted_at__isnull=False, submitted_at__isnull=False),
                name="application_sent_has_agreement",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=[ApplicationState.PAYMENT, ApplicationState.ACTIVE])
                | Q(order__isnull=False),
                name="application_payable_has_order",
            ),
            models.CheckConstraint(
                condition=~Q(state=ApplicationState.ACTIVE) | Q(organisation__isnull=False),
                name="application_active_has_organisation",
            ),
            models.CheckConstraint(
                condition=Q(is_recurring=False) | Q(pays_by=PaysBy.CARD),
                name="application_recurs_by_card",
            ),
            models.CheckConstraint(
                condition=Q(renews__isnull=True, replaces__isnull=True)
                | Q(organisation__isnull=False),
                name="application_renews_for_somebody",
            ),
            models.CheckConstraint(
                condition=Q(renews__isnull=True) | Q(replaces__isnull=True),
                name="application_renews_or_replaces",
            ),
            # Several may be paid: each payment buys a time after the one before.
            models.UniqueConstraint(
                fields=["renews"],
                condition=Q(state__in=UNDER_WAY),
                name="application_renews_a_term_once",
            ),
            models.UniqueConstraint(
                fields=["replaces"],
                condition=Q(state__in=UNDER_WAY),
                name="application_replaces_a_term_once",
            ),
        ]
        indexes = [models.Index(fields=["tier", "state"], name="application_places")]

    def __str__(self) -> str:
        return f"{self.name}, {self.tier}"

    def get_absolute_url(self) -> str:
        return reverse("sponsors:status", args=[self.reference])

    def is_by(self, user: User) -> bool:
        """Whether this person applied, or is named in it."""
        named = {self.owner_email, self.billing_email, self.technical_email, self.marketing_email}
        own = user.email.casefold() in {email.casefold() for email in named}
        return own or self.applicant_id == user.pk

    @property
    def line(self) -> uuid.UUID | None:
        """The line of terms that it goes on with; none for a first sign-up."""
        before = self.renews or self.replaces
        return before.line if before is not None else None

    @property
    def price(self) -> Money:
        """What was ordered; before that, what the tier costs now."""
        return self.order.amount if self.order is not None else self.list_price

    @property
    def list_price(self) -> Money:
        """What the tier costs, without coupon and VAT: now, or on the day it was sent."""
        unsent = {ApplicationState.DRAFT, ApplicationState.RELEASED}
        if self.agreed_minor is not None and self.state not in unsent:
            return Money(self.agreed_minor, self.currency)
        price = self.tier.price(self.currency)
        if price is None:
            raise LookupError(f"{self.tier} has no price in {self.currency}")
        return price
