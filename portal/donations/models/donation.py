from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.lib.money import Money
from portal.payments.arithmetic import OrderState
from portal.payments.models import Checkout, CheckoutState, LedgerEntry, Order, Subscription
from portal.payments.models.subscription import SubscriptionState

NEVER_BEGUN = [
    SubscriptionState.PENDING,
    SubscriptionState.INCOMPLETE_EXPIRED,
    SubscriptionState.CANCELED,
]
KEPT = [OrderState.PAID.value, OrderState.PARTLY_REFUNDED.value]


class Dedication(models.TextChoices):
    NONE = "none", _("none")
    WAITING = "waiting", _("waits for the staff")
    SHOWN = "shown", _("shown")
    REFUSED = "refused", _("not shown")


class DonationQuerySet(models.QuerySet["Donation"]):
    def open_to(self, user: User | AnonymousUser, kept: Iterable[uuid.UUID]) -> DonationQuerySet:
        """Those of the account, of its verified addresses, and those whose key was kept."""
        allowed = Q(reference__in=list(kept))
        if isinstance(user, User):
            addresses = EmailAddress.objects.filter(user=user, verified=True)
            lowered = addresses.annotate(lower=Lower("email")).values("lower")
            found = self.annotate(lower_email=Lower("email"))
            return found.filter(allowed | Q(donor=user) | Q(lower_email__in=lowered))
        return self.filter(allowed)

    def of_order(self, order: Order) -> DonationQuerySet:
        """The donation that an order belongs to: as its first payment, or as a later one."""
        own = Q(order=order)
        later = Q(subscription=order.subscription_id) if order.subscription_id else Q()
        return self.filter(own | later)

    def given(self) -> DonationQuerySet:
        """Those of which money is here: not all of it went back."""
        orders = Order.objects.filter(
            Q(pk=OuterRef("order_id")) | Q(subscription=OuterRef("subscription_id")),
            state__in=KEPT,
        )
        return self.filter(Exists(orders))

    def named(self) -> DonationQuerySet:
        """Those whose donors wish to be named, and whose names the staff did not hide."""
        return self.given().filter(is_named=True, name_hidden_at__isnull=True)

    def recurring(self) -> DonationQuerySet:
        return self.exclude(interval="")

    def never_paid(self, before: datetime) -> DonationQuerySet:
        """Begun before that moment, and no money of theirs ever moved or is under way."""
        moved = LedgerEntry.objects.filter(order=OuterRef("order_id"))
        under_way = Checkout.objects.unsettled().filter(order=OuterRef("order_id"))
        unpaid = self.filter(first_paid_at__isnull=True, created_at__lt=before)
        ended = Q(subscription__isnull=True) | Q(subscription__state__in=NEVER_BEGUN)
        return unpaid.filter(ended).exclude(Exists(moved)).exclude(Exists(under_way))

    def unsettled(self) -> DonationQuerySet:
        """What was booked and is not followed yet: a first payment, or a refusal by the bank."""
        paid = Q(first_paid_at__isnull=True, order__paid_at__isnull=False)
        failed = Q(
            first_paid_at__isnull=True,
            failed_at__isnull=True,
            order__checkouts__state=CheckoutState.FAILED,
        )
        return self.filter(paid | failed).distinct()


class Donation(models.Model):
    """What a person gives, once or each month or year; how it stands follows from its orders."""

    reference = models.UUIDField(_("reference"), default=uuid.uuid4, unique=True, editable=False)
    order = models.OneToOneField(
        Order, verbose_name=_("first order"), on_delete=models.PROTECT, related_name="donation"
    )
    subscription = models.OneToOneField(
        Subscription,
        verbose_name=_("subscription"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="donation",
    )
    interval = models.CharField(
        _("how often"),
        max_length=5,
        blank=True,
        choices=[("", _("once")), ("month", _("every month")), ("year", _("every year"))],
    )
    donor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    name = models.CharField(_("name"), max_length=120)
    email = models.EmailField(_("e-mail"))
    is_named = models.BooleanField(_("named on the donors page"), default=False)
    name_hidden_at = models.DateTimeField(_("name hidden by the staff"), null=True, blank=True)
    message = models.TextField(_("message"), max_length=1000, blank=True)
    dedication = models.CharField(_("dedication"), max_length=140, blank=True)
    dedication_state = models.CharField(
        _("dedication shown"), max_length=10, choices=Dedication, default=Dedication.NONE
    )
    created_at = models.DateTimeField(_("begun"), default=timezone.now, editable=False)
    first_paid_at = models.DateTimeField(_("first paid"), null=True, blank=True, editable=False)
    failed_at = models.DateTimeField(_("last refused"), null=True, blank=True, editable=False)

    objects: ClassVar[DonationQuerySet] = DonationQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("donation")
        verbose_name_plural = _("donations")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(interval="", subscription__isnull=True)
                | Q(interval__in=["month", "year"], subscription__isnull=False),
                name="donation_recurring_has_subscription",
            ),
            models.CheckConstraint(
                condition=Q(dedication="", dedication_state="none")
                | (~Q(dedication="") & ~Q(dedication_state="none")),
                name="donation_dedication_has_state",
            ),
        ]

    def __str__(self) -> str:
        """Without the name: the audit log keeps it for ever."""
        return f"{self.order.description}, {self.amount}"

    def get_absolute_url(self) -> str:
        return reverse("donations:donation", args=[self.reference])

    @property
    def amount(self) -> Money:
        return self.subscription.price if self.subscription else self.order.amount

    @property
    def is_running(self) -> bool:
        """Whether money is taken again, or was tried to be."""
        subscription = self.subscription
        if subscription is None:
            return False
        return subscription.is_troubled or subscription.renews_at() is not None

    def orders(self) -> models.QuerySet[Order]:
        """Every payment of it, the newest first."""
        own = Q(pk=self.order_id)
        later = Q(subscription=self.subscription_id) if self.subscription_id else Q()
        return Order.objects.filter(own | later).order_by("-created_at", "-pk")

    def receipts(self) -> models.QuerySet[Order]:
        """The payments that have a receipt."""
        return self.orders().exclude(receipt_number="")
