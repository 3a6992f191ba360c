from __future__ import annotations

from datetime import date
from typing import ClassVar

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from governance.models.declaration import Declaration, DeclarationQuerySet
from governance.models.seat import SeatTerm


class InterestQuerySet(DeclarationQuerySet["Interest"]):
    def public(self) -> InterestQuerySet:
        return self.filter(audience=Interest.Audience.PUBLIC)

    def visible_to(self, user: models.Model | AnonymousUser, on: date) -> InterestQuerySet:
        """What is public, one's own, and what was declared to a body one sits in on that day."""
        if isinstance(user, AnonymousUser):
            return self.public()
        if getattr(user, "is_staff", False):
            return self.all()
        seated = SeatTerm.objects.seated_on(on)
        bodies = seated.of(user).inside().values("seat__body")
        colleagues = seated.filter(seat__body__in=bodies).values("user")
        return self.filter(
            Q(audience=Interest.Audience.PUBLIC) | Q(user_id=user.pk) | Q(user__in=colleagues)
        )


class Interest(Declaration):
    """What may pull a person in two directions: the conflict-of-interest register."""

    class Kind(models.TextChoices):
        SHARES = "shares", _("shares or ownership")
        CONTRACT = "contract", _("contract or payment")
        POSITION = "position", _("position elsewhere")
        FAMILY = "family", _("family or close friends")
        OTHER = "other", _("other")

    class Audience(models.TextChoices):
        PUBLIC = "public", _("everybody")
        BODY = "body", _("the bodies I sit in, and staff")

    kind = models.CharField(_("kind"), max_length=12, choices=Kind, default=Kind.OTHER)
    what = models.CharField(
        _("what it is"),
        max_length=300,
        help_text=_("In a sentence: whose interest, and what it could touch."),
    )
    audience = models.CharField(
        _("shown to"), max_length=10, choices=Audience, default=Audience.PUBLIC
    )

    objects: ClassVar[InterestQuerySet] = InterestQuerySet.as_manager()  # type: ignore[assignment]

    class Meta(Declaration.Meta):
        verbose_name = _("interest")
        verbose_name_plural = _("interests")
        constraints = [*Declaration.Meta.constraints]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_kind_display()}"

    def get_absolute_url(self) -> str:
        """Where it is ended or taken back."""
        return reverse("governance:interest", args=[self.pk])
