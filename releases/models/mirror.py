from __future__ import annotations

import datetime as dt
from typing import ClassVar, Final

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from portal.lib.countries import COUNTRIES
from portal.lib.geography import continent_of
from releases.models.product import Product
from releases.models.repository import Repository

CONTINENT_NAMES: Final[dict[str, str | Promise]] = {
    "AF": _("Africa"),
    "AN": _("Antarctica"),
    "AS": _("Asia"),
    "EU": _("Europe"),
    "NA": _("North America"),
    "OC": _("Oceania"),
    "SA": _("South America"),
}


class Part(models.TextChoices):
    """What a mirror may carry: the first part of the addresses."""

    APT = "repo", _("APT repositories")
    YUM = "yum", _("YUM repositories")
    FILES = "releases", _("files of releases")


def every_part() -> list[str]:
    return list(Part.values)


class MirrorQuerySet(models.QuerySet["Mirror"]):
    def active(self) -> MirrorQuerySet:
        return self.filter(state=Mirror.State.ACTIVE)

    def listed(self) -> MirrorQuerySet:
        """What the public may know of: mirrors in use, and those that pause."""
        return self.filter(state__in=[Mirror.State.ACTIVE, Mirror.State.PAUSED])

    def offered(self, at: dt.datetime) -> MirrorQuerySet:
        """Where people may be sent at `at`: active mirrors that a probe has found healthy."""
        return self.active().filter(health=Mirror.Health.HEALTHY, active_since__lte=at)

    def carrying(self, product: Product, part: str) -> MirrorQuerySet:
        """Those with this part of a product; a mirror that names no product has all."""
        named = Mirror.products.through.objects.filter(mirror=models.OuterRef("pk"))
        mine = Q(models.Exists(named.filter(product=product)))
        return self.filter(mine | ~models.Exists(named), parts__contains=[part])

    def due(self, at: dt.datetime) -> MirrorQuerySet:
        """Active mirrors whose next probe is due."""
        return self.active().filter(next_probe_at__lte=at).order_by("next_probe_at")


class Mirror(models.Model):
    """A server of others that carries our files below `base_url`, as they lie here below /."""

    class State(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        ACTIVE = "active", _("active")
        PAUSED = "paused", _("paused")
        RETIRED = "retired", _("retired")

    class Health(models.TextChoices):
        UNKNOWN = "unknown", _("not probed yet")
        HEALTHY = "healthy", _("healthy")
        LAGGING = "lagging", _("lagging")
        BROKEN = "broken", _("broken")

    slug = models.SlugField(_("short name"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=100)
    operator = models.CharField(_("operator"), max_length=100)
    contact_email = models.EmailField(
        _("contact of the operator"), help_text=_("Never shown in public.")
    )
    confirmed_at = models.DateTimeField(_("contact confirmed"), null=True, blank=True)
    country = models.CharField(_("country"), max_length=2, choices=COUNTRIES)
    base_url = models.URLField(
        _("address"), unique=True, help_text=_("Begins with https:// and holds repo/ and yum/.")
    )
    rsync_url = models.CharField(_("rsync address"), max_length=200, blank=True)
    weight = models.PositiveSmallIntegerField(
        _("weight"),
        default=100,
        validators=[MinValueValidator(1), MaxValueValidator(10_000)],
        help_text=_("Its share of the visitors, for example its bandwidth in Mbit/s."),
    )
    products = models.ManyToManyField(
        Product, blank=True, related_name="mirrors", help_text=_("None means all.")
    )
    parts = ArrayField(
        models.CharField(max_length=10, choices=Part), default=every_part, verbose_name=_("carries")
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PROPOSED)
    proposed_at = models.DateTimeField(_("proposed"), auto_now_add=True)
    state_since = models.DateTimeField(_("in this state since"), auto_now_add=True)
    active_since = models.DateTimeField(_("active since"), null=True, blank=True)

    health = models.CharField(_("health"), max_length=10, choices=Health, default=Health.UNKNOWN)
    health_since = models.DateTimeField(_("so since"), null=True, editable=False)
    reason = models.CharField(_("reason"), max_length=300, blank=True, editable=False)
    behind = models.PositiveIntegerField(_("publications behind"), default=0, editable=False)
    behind_since = models.DateTimeField(_("behind since"), null=True, editable=False)
    files_until = models.DateTimeField(_("has files until"), null=True, editable=False)
    probed_at = models.DateTimeField(_("last probe"), null=True, editable=False)
    next_probe_at = models.DateTimeField(_("next probe"), null=True, editable=False)
    failures = models.PositiveIntegerField(_("failed probes in a row"), default=0, editable=False)
    told_at = models.DateTimeField(_("operator told"), null=True, editable=False)

    objects = MirrorQuerySet.as_manager()

    class Meta:
        verbose_name = _("mirror")
        verbose_name_plural = _("mirrors")
        ordering = ["country", "name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(base_url__regex=r"^https://[a-z0-9.-]+(:[0-9]+)?/([-\w.~]+/)*$"),
                name="mirror_address_is_https_and_a_folder",
                violation_error_message=_(
                    "An address such as https://mirror.example.org/exampledb/, ending in a slash."
                ),
            ),
            models.CheckConstraint(
                condition=~Q(state="active") | Q(active_since__isnull=False),
                name="mirror_active_since_a_day",
            ),
            models.CheckConstraint(
                condition=Q(weight__gte=1, weight__lte=10_000), name="mirror_weight_in_bounds"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def continent(self) -> str:
        return continent_of(self.country)

    @property
    def continent_name(self) -> str | Promise:
        return CONTINENT_NAMES.get(self.continent, "")


class Sighting(models.Model):
    """How far a mirror was with one repository when a probe last looked."""

    mirror = models.ForeignKey(Mirror, on_delete=models.CASCADE, related_name="sightings")
    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="sightings")
    serial = models.PositiveIntegerField(_("serial"))
    seen_at = models.DateTimeField(_("seen"))

    objects: ClassVar[models.Manager[Sighting]] = models.Manager()

    class Meta:
        verbose_name = _("sighting")
        verbose_name_plural = _("sightings")
        constraints = [
            models.UniqueConstraint(fields=["mirror", "repository"], name="sighting_once"),
        ]

    def __str__(self) -> str:
        return f"{self.mirror}: {self.repository} #{self.serial}"


class Probe(models.Model):
    """What one look at a mirror has found; old ones are forgotten."""

    mirror = models.ForeignKey(Mirror, on_delete=models.CASCADE, related_name="probes")
    at = models.DateTimeField(_("at"))
    health = models.CharField(_("health"), max_length=10, choices=Mirror.Health)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    behind = models.PositiveIntegerField(_("publications behind"), default=0)

    objects: ClassVar[models.Manager[Probe]] = models.Manager()

    class Meta:
        verbose_name = _("probe")
        verbose_name_plural = _("probes")
        ordering = ["-at"]
        indexes = [models.Index(fields=["mirror", "-at"], name="probe_newest")]

    def __str__(self) -> str:
        return f"{self.mirror} {self.at:%Y-%m-%d %H:%M} {self.health}"
