from __future__ import annotations

from datetime import date, datetime

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import RoleGrant
from portal.accounts.roles import Role, Scope

BOARD = "board"


class BodyQuerySet(models.QuerySet["Body"]):
    def existing(self, on: date) -> BodyQuerySet:
        return self.filter(since__lte=on).exclude(until__lte=on)

    def of_voter(self, user: models.Model | AnonymousUser, at: datetime) -> BodyQuerySet:
        """The bodies in which `user` may act: those they hold the role of."""
        if isinstance(user, AnonymousUser):
            return self.none()
        grants = RoleGrant.objects.active_on(at).of(user).filter(scope_kind=Scope.BODY)
        held = {(grant.role, grant.scope_slug) for grant in grants}
        wanted = Q(pk__in=[])
        for kind, role in ROLES.items():
            slugs = [slug for held_role, slug in held if held_role == role]
            if "" in slugs:
                wanted |= Q(kind=kind)
            wanted |= Q(kind=kind, slug__in=slugs)
        return self.filter(wanted)


class Body(models.Model):
    """A group of people who decide: the board, the engineering council, a committee."""

    class Kind(models.TextChoices):
        BOARD = "board", _("Board")
        COUNCIL = "council", _("Council")
        COMMITTEE = "committee", _("Committee")

    slug = models.SlugField(_("address"), max_length=80, unique=True)
    name = models.CharField(_("name"), max_length=120)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    purpose = models.CharField(
        _("purpose"), max_length=300, help_text=_("One or two sentences, shown under the name.")
    )
    since = models.DateField(_("exists since"))
    until = models.DateField(_("dissolved on"), null=True, blank=True)
    position = models.PositiveSmallIntegerField(_("place in lists"), default=100)

    objects = BodyQuerySet.as_manager()

    class Meta:
        verbose_name = _("body")
        verbose_name_plural = _("bodies")
        ordering = ["position", "name"]
        constraints = [
            models.CheckConstraint(
                name="body_ends_after_it_begins",
                condition=Q(until__isnull=True) | Q(until__gt=models.F("since")),
                violation_error_message=_("A body is dissolved after it was founded."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        if self.slug == BOARD:
            return reverse("governance:board")
        return reverse("governance:body", args=[self.slug])

    @property
    def role(self) -> Role:
        """What the holders of its voting seats are granted."""
        return ROLES[self.kind]


ROLES: dict[str, Role] = {
    Body.Kind.BOARD: Role.DIRECTOR,
    Body.Kind.COUNCIL: Role.COUNCIL,
    Body.Kind.COMMITTEE: Role.COUNCIL,
}
