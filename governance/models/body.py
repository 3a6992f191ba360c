from __future__ import annotations

from datetime import date, datetime

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import RoleGrant
from portal.accounts.roles import Role, Scope, has_role

BOARD = "board"


class BodyQuerySet(models.QuerySet["Body"]):
    def existing(self, on: date) -> BodyQuerySet:
        return self.filter(since__lte=on).exclude(until__lte=on)

    def kept_by(self, user: models.Model | AnonymousUser, at: datetime) -> BodyQuerySet:
        """The bodies whose seats `user` keeps: all for staff, their own for a secretary."""
        if isinstance(user, AnonymousUser):
            return self.none()
        if has_role(user, Role.STAFF, at=at):
            return self.all()
        grants = RoleGrant.objects.active_on(at).of(user).filter(role=Role.SECRETARY)
        slugs = set(grants.filter(scope_kind=Scope.BODY).values_list("scope_slug", flat=True))
        return self.all() if "" in slugs else self.filter(slug__in=slugs)

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
    """A group of people with a task: the board, the council, a committee, the staff.

    A membership class has no seats: who belongs to it is asked of the members' register.
    """

    class Kind(models.TextChoices):
        BOARD = "board", _("Board")
        COUNCIL = "council", _("Council")
        COMMITTEE = "committee", _("Committee")
        ADVISORY = "advisory", _("Advisory list")
        MEMBERSHIP = "membership", _("Membership class")
        STAFF = "staff", _("Staff")

    class Constituency(models.TextChoices):
        CONTRIBUTORS = "contributors", _("Contributors")
        MEMBERS = "members", _("Corporate members")

    slug = models.SlugField(_("address"), max_length=80, unique=True)
    name = models.CharField(_("name"), max_length=120)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    purpose = models.CharField(
        _("purpose"), max_length=300, help_text=_("One or two sentences, shown under the name.")
    )
    constituency = models.CharField(
        _("who belongs to it"),
        max_length=20,
        choices=Constituency,
        blank=True,
        help_text=_("Of a membership class: whose register it is."),
    )
    parent = models.ForeignKey(
        "self",
        verbose_name=_("part of"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="parts",
        help_text=_("The body that a committee reports to."),
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
            ),
            models.CheckConstraint(
                name="body_membership_class_has_members",
                condition=(Q(kind="membership") & ~Q(constituency=""))
                | (~Q(kind="membership") & Q(constituency="")),
                violation_error_message=_(
                    "A membership class says who belongs to it; other bodies have seats instead."
                ),
            ),
            models.CheckConstraint(
                name="body_is_no_part_of_itself",
                condition=Q(parent__isnull=True) | ~Q(parent=models.F("id")),
                violation_error_message=_("A body is no part of itself."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        if self.slug == BOARD:
            return reverse("governance:board")
        return reverse("governance:body", args=[self.slug])

    def exists_on(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day < self.until)

    @property
    def role(self) -> Role | None:
        """What the holders of its voting seats are granted; none where nobody votes."""
        return ROLES.get(self.kind)

    @property
    def has_votes(self) -> bool:
        """Whether it can have voting seats."""
        return self.kind in ROLES


ROLES: dict[str, Role] = {
    Body.Kind.BOARD: Role.DIRECTOR,
    Body.Kind.COUNCIL: Role.COUNCIL,
    Body.Kind.COMMITTEE: Role.COUNCIL,
}
