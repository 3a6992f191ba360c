from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import models
from django.db.models import Count, F, Max, OuterRef, Q, Subquery, Window
from django.db.models.functions import Coalesce, Lower, RowNumber
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.members.models.organisation import Organisation
from portal.members.models.term import Term


def seats_at(at: datetime, organisation: str = "organisation") -> Coalesce:
    """How many seats the running terms of the outer row's organisation give."""
    terms = Term.objects.active_on(at).filter(organisation=OuterRef(organisation)).order_by()
    most = terms.values("organisation").annotate(most=Max("advisory_seats")).values("most")
    return Coalesce(Subquery(most, output_field=models.IntegerField()), 0)


class SubscriberQuerySet(models.QuerySet["Subscriber"]):
    def seated(self, at: datetime) -> SubscriberQuerySet:
        """Who holds a seat that a running term gives; the first ones, where seats became fewer.

        A query of its own, so that what is filtered besides does not move anybody up.
        """
        held = Subscriber.objects.kept(at).filter(since__lte=at)
        place = Window(
            RowNumber(), partition_by=[F("organisation")], order_by=[F("since"), F("pk")]
        )
        inside = held.annotate(place=place, seats=seats_at(at)).filter(place__lte=F("seats"))
        return self.filter(pk__in=inside.order_by().values("pk"))

    def receiving(self, at: datetime) -> SubscriberQuerySet:
        """Who gets the letters: seated, and did not take themselves off."""
        return self.seated(at).filter(unsubscribed_at__isnull=True)

    def kept(self, at: datetime) -> SubscriberQuerySet:
        """Seats that nobody gave up, whether a term runs or not."""
        return self.exclude(ended_at__lte=at)

    def of(self, user: User) -> SubscriberQuerySet:
        """Those with a verified address of `user`."""
        verified = EmailAddress.objects.filter(user=user, verified=True)
        addresses = [email.lower() for email in verified.values_list("email", flat=True)]
        return self.annotate(lower=Lower("email")).filter(lower__in=addresses)

    def with_failures(self) -> SubscriberQuerySet:
        """With `failed`, the number of letters to the present address that were given up."""
        given_up = Q(
            deliveries__letter__given_up_at__isnull=False,
            deliveries__letter__recipient__iexact=F("email"),
        )
        return self.annotate(failed=Count("deliveries", filter=given_up))


class Subscriber(models.Model):
    """A seat of the advisory list: a person whom an organisation sends there."""

    organisation = models.ForeignKey(
        Organisation,
        verbose_name=_("organisation"),
        on_delete=models.PROTECT,
        related_name="subscribers",
    )
    name = models.CharField(_("name"), max_length=120)
    email = models.EmailField(_("e-mail"))
    named_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("named by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    since = models.DateTimeField(_("since"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    unsubscribed_at = models.DateTimeField(_("gets no letters since"), null=True, blank=True)

    objects: ClassVar[SubscriberQuerySet] = SubscriberQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("seat of the advisory list")
        verbose_name_plural = _("seats of the advisory list")
        ordering = ["organisation", "since", "pk"]
        constraints = [
            models.UniqueConstraint(
                "organisation",
                Lower("email"),
                condition=Q(ended_at__isnull=True),
                name="subscriber_once_in_an_organisation",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("since")),
                name="subscriber_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.organisation})"
