from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import ClassVar, Final

from django.db import models
from django.db.models import ExpressionWrapper, F, Q, Value
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from releases.distributions import DISTRIBUTIONS, Distribution
from releases.models.file import Blob
from releases.models.key import SigningKey
from releases.models.package import Package
from releases.models.release import Release
from releases.models.series import Series
from releases.repository.buckets import Span

GENERATIONS: Final = 3  # publications whose indices stay reachable by hash, at the least
KEEP_FOR: Final = dt.timedelta(days=3)  # and for how long at the least


def distribution_choices() -> list[tuple[str, str]]:
    """A function, so that a new row there is no migration."""
    return [(found.slug, found.name) for found in DISTRIBUTIONS.values()]


class RepositoryQuerySet(models.QuerySet["Repository"]):
    def live(self) -> RepositoryQuerySet:
        """Repositories that clients can read: a publication was switched to."""
        return self.filter(current__isnull=False)

    def filled(self) -> RepositoryQuerySet:
        """Live ones that clients find something in."""
        return self.live().filter(current__packages__gt=0)

    def of_series(self) -> RepositoryQuerySet:
        """Those that follow a series, without those of one exact version."""
        return self.filter(release=None)

    def of_releases(self) -> RepositoryQuerySet:
        return self.filter(release__isnull=False)

    def with_an_index_that_may_end(self) -> RepositoryQuerySet:
        """Those of apt: metadata of YUM cannot say until when it is valid."""
        slugs = [found.slug for found in DISTRIBUTIONS.values() if found.is_deb]
        return self.filter(distribution__in=slugs)

    def with_names(self) -> RepositoryQuerySet:
        return self.select_related("series__product", "release__series__product", "current")

    def with_newest(self) -> RepositoryQuerySet:
        """With the state of what was asked for last, and why it failed if it did."""
        newest = Publication.objects.filter(
            repository=models.OuterRef("pk"), serial=models.OuterRef("serial")
        )
        return self.annotate(
            newest_state=models.Subquery(newest.values("state")),
            newest_reason=models.Subquery(newest.values("reason")),
        )


class Repository(models.Model):
    """What a client points at: the packages of a series for one distribution.

    An APT repository holds all architectures; a YUM repository has one of its own. With a
    `release` it holds the packages of that exact version and nothing else.
    """

    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="repositories")
    release = models.ForeignKey(
        Release,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="repositories",
    )
    distribution = models.CharField(_("distribution"), max_length=40, choices=distribution_choices)
    architecture = models.CharField(_("architecture"), max_length=12, blank=True)
    origin = models.CharField(max_length=100, editable=False)
    label = models.CharField(max_length=100, editable=False)
    codename = models.CharField(max_length=60, editable=False)
    serial = models.PositiveIntegerField(_("last serial"), default=0, editable=False)
    current = models.ForeignKey(
        "Publication", null=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )
    valid_days = models.PositiveSmallIntegerField(
        _("valid for days"),
        null=True,
        blank=True,
        help_text=_("Clients refuse an index that is older. Empty: an index never ends."),
    )
    keep_generations = models.PositiveSmallIntegerField(
        _("publications to keep"), default=GENERATIONS
    )
    keep_for = models.DurationField(_("how long to keep them"), default=KEEP_FOR)

    objects = RepositoryQuerySet.as_manager()

    class Meta:
        verbose_name = _("repository")
        verbose_name_plural = _("repositories")
        ordering = ["series", "distribution", "architecture", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["series", "release", "distribution", "architecture"],
                name="repository_once",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=Q(keep_generations__gte=GENERATIONS) & Q(keep_for__gte=KEEP_FOR),
                name="repository_keeps_enough",
                violation_error_message=_("Keep at least three publications and three days."),
            ),
            models.CheckConstraint(
                condition=Q(valid_days__isnull=True) | Q(valid_days__range=(2, 365)),
                name="repository_valid_days",
                violation_error_message=_("An index is valid for 2 to 365 days."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """What signer and audit log know it by; never changes."""
        parts = [self.series.product.slug, self.place, self.distribution, self.architecture]
        return "/".join(part for part in parts if part)

    @property
    def title(self) -> str:
        """What people call it."""
        system = " ".join(part for part in (self.system.name, self.architecture) if part)
        words = {"product": self.series.product, "place": self.place, "system": system}
        return gettext("%(product)s %(place)s for %(system)s") % words

    @property
    def place(self) -> str:
        """The series or exact version in its address."""
        return self.release.version if self.release else self.series.name

    @property
    def system(self) -> Distribution:
        return DISTRIBUTIONS[self.distribution]


class MembershipQuerySet(models.QuerySet["Membership"]):
    def in_publication(self, serial: int) -> MembershipQuerySet:
        return self.filter(since_serial__lte=serial).exclude(until_serial__lte=serial)

    def changed(self, after: int, serial: int) -> MembershipQuerySet:
        """What came or went after one publication, up to another."""
        return self.filter(
            Q(since_serial__gt=after, since_serial__lte=serial)
            | Q(until_serial__gt=after, until_serial__lte=serial)
        )

    def in_slots(self, spans: Iterable[Span]) -> MembershipQuerySet:
        wanted = Q(pk__in=[])
        for span in spans:
            wanted |= Q(slot__gte=span.first, slot__lt=span.end)
        return self.filter(wanted)


class Membership(models.Model):
    """A package is in a repository from one serial on, perhaps until another."""

    repository = models.ForeignKey(Repository, on_delete=models.PROTECT, related_name="memberships")
    package = models.ForeignKey(Package, on_delete=models.PROTECT, related_name="memberships")
    since_serial = models.PositiveIntegerField()
    until_serial = models.PositiveIntegerField(null=True)
    slot = models.BigIntegerField(
        default=0, editable=False, help_text=_("That of the package's name, set by the database.")
    )

    objects = MembershipQuerySet.as_manager()

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(
                fields=["repository", "package"],
                condition=Q(until_serial__isnull=True),
                name="membership_open_once",
            ),
            models.CheckConstraint(
                condition=Q(until_serial__isnull=True) | Q(until_serial__gt=F("since_serial")),
                name="membership_ends_after_it_begins",
            ),
        ]
        indexes = [
            models.Index(fields=["repository", "slot"], name="membership_by_slot"),
            models.Index(
                fields=["repository", "since_serial", "until_serial"], name="membership_by_serial"
            ),
            models.Index(
                fields=["repository", "until_serial"],
                condition=Q(until_serial__isnull=False),
                name="membership_ended",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.package} in {self.repository}"


class PublicationQuerySet(models.QuerySet["Publication"]):
    def unfinished(self) -> PublicationQuerySet:
        """The queue: what still has to be built, signed or switched to."""
        return self.filter(state__in=Publication.UNFINISHED).order_by("repository_id", "serial")

    def before(self, publication: Publication) -> Publication | None:
        """What clients of its repository read before this one."""
        seen = self.filter(switched_at__isnull=False, serial__lt=publication.serial)
        return seen.filter(repository=publication.repository_id).order_by("-serial").first()

    def failed_last(self, until: dt.datetime) -> PublicationQuerySet:
        """The newest publication of its repository, if it failed and was asked for by `until`."""
        return self.filter(
            state=Publication.State.FAILED, serial=F("repository__serial"), queued_at__lte=until
        )

    def kept(self, at: dt.datetime) -> PublicationQuerySet:
        """What clients may still read by hash: the current publication of each repository, those
        just before it, and those that were current lately, as the repository's retention says.
        """
        since = ExpressionWrapper(
            Value(at) - F("repository__keep_for"), output_field=models.DateTimeField()
        )
        enough = F("repository__current__generation") - F("repository__keep_generations")
        return self.filter(
            Q(state=Publication.State.CURRENT)
            | Q(state=Publication.State.PAST) & (Q(generation__gt=enough) | Q(retired_at__gt=since))
        )


class Publication(models.Model):
    """An immutable state of a repository: all of its index files, signed, under one serial."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        BUILT = "built", _("built")
        SIGNED = "signed", _("signed")
        CURRENT = "current", _("current")
        PAST = "past", _("past")
        FAILED = "failed", _("failed")

    class Cause(models.TextChoices):
        RELEASE = "release", _("a release")
        AGAIN = "again", _("asked for again")
        ROLL_BACK = "roll-back", _("rolled back")
        WITHDRAWAL = "withdrawal", _("packages taken out")
        RENEWAL = "renewal", _("its date renewed")
        ALIAS = "alias", _("an alias comes here")

    UNFINISHED = (State.QUEUED, State.BUILT, State.SIGNED)

    repository = models.ForeignKey(
        Repository, on_delete=models.PROTECT, related_name="publications"
    )
    serial = models.PositiveIntegerField(_("serial"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.QUEUED)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    full = models.BooleanField(
        _("written anew"),
        default=False,
        help_text=_("Every bucket is made from the database, none is copied."),
    )
    cause = models.CharField(_("because of"), max_length=12, choices=Cause, default=Cause.RELEASE)
    content_of = models.PositiveIntegerField(
        _("rolled back to serial"), null=True, blank=True, editable=False
    )
    queued_at = models.DateTimeField(_("asked for"), auto_now_add=True)
    dated_at = models.DateTimeField(_("date in the index"), null=True)
    valid_until = models.DateTimeField(_("valid until"), null=True)
    switched_at = models.DateTimeField(_("published"), null=True)
    generation = models.PositiveIntegerField(
        _("generation"), null=True, help_text=_("Counts the publications that clients have seen.")
    )
    retired_at = models.DateTimeField(_("followed by another"), null=True)
    packages = models.PositiveIntegerField(_("packages"), default=0)
    key = models.ForeignKey(SigningKey, null=True, on_delete=models.PROTECT, related_name="+")
    keys = models.ManyToManyField(SigningKey, related_name="publications", editable=False)

    objects = PublicationQuerySet.as_manager()

    class Meta:
        verbose_name = _("publication")
        verbose_name_plural = _("publications")
        ordering = ["repository", "-serial"]
        constraints = [
            models.UniqueConstraint(fields=["repository", "serial"], name="publication_once"),
            models.UniqueConstraint(
                fields=["repository"],
                condition=Q(state="current"),
                name="publication_one_is_current",
            ),
            models.UniqueConstraint(
                fields=["repository"],
                condition=Q(state="queued"),
                name="publication_queued_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.repository} #{self.serial}"

    @property
    def is_unfinished(self) -> bool:
        return self.state in self.UNFINISHED

    @property
    def was_seen(self) -> bool:
        """Whether clients could read it."""
        return self.switched_at is not None

    def is_settled(self, at: dt.datetime) -> bool:
        return self.switched_at is not None and self.switched_at <= at


class IndexFile(models.Model):
    """A file of a publication: its path below dists/<codename>/ or below the YUM root."""

    publication = models.ForeignKey(Publication, on_delete=models.PROTECT, related_name="files")
    path = models.CharField(_("path"), max_length=300)
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, related_name="+")

    objects: ClassVar[models.Manager[IndexFile]] = models.Manager()

    class Meta:
        verbose_name = _("index file")
        verbose_name_plural = _("index files")
        constraints = [
            models.UniqueConstraint(fields=["publication", "path"], name="index_file_once"),
        ]

    def __str__(self) -> str:
        return self.path
