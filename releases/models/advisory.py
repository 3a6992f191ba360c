from __future__ import annotations

import datetime as dt
from typing import ClassVar, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Func, Max, Q, Value
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.lib import words
from portal.members.models import Organisation
from releases.models.product import Product
from releases.models.release import Release
from releases.models.series import Series

WORDS: Final = words.of("identifier", "summary", "details")


class AdvisoryQuerySet(models.QuerySet["Advisory"]):
    def published(self, at: dt.datetime) -> AdvisoryQuerySet:
        """What everyone may know at `at`, withdrawn ones included."""
        return self.filter(published_at__lte=at)

    def in_force(self, at: dt.datetime) -> AdvisoryQuerySet:
        """Published and not withdrawn."""
        return self.published(at).exclude(withdrawn_at__lte=at)

    def managed_by(self, user: User | AnonymousUser, at: dt.datetime) -> AdvisoryQuerySet:
        return self.filter(product__in=Product.objects.managed_by(user, at))

    def told_to(self, user: User | AnonymousUser, at: dt.datetime) -> AdvisoryQuerySet:
        """Those that this person was told of early, while the membership that entitles lasts."""
        entitled = Organisation.objects.early_notices(at)
        if not isinstance(user, User):
            return self.none()
        told = EarlyNotice.objects.filter(user=user, organisation__in=entitled)
        mine = told.filter(organisation__in=Organisation.objects.of(user, at))
        return self.filter(published_at__isnull=False, pk__in=mine.values("advisory"))

    def unqueued(self, at: dt.datetime) -> AdvisoryQuerySet:
        """Public ones whose repositories have not been asked to publish their latest state."""
        return self.published(at).filter(Q(queued_at=None) | Q(queued_at__lt=F("modified_at")))

    def unsigned(self, at: dt.datetime) -> AdvisoryQuerySet:
        """Public ones whose newest revision has no signature yet."""
        mine = AdvisoryRevision.objects.filter(advisory=models.OuterRef("advisory"))
        newest = models.Subquery(mine.order_by("-number").values("number")[:1])
        signed = AdvisoryDocument.objects.filter(advisory=models.OuterRef("pk"), number=newest)
        return self.published(at).filter(~models.Exists(signed))

    def called(self, name: str) -> AdvisoryQuerySet:
        """By the identifier in small letters, other signs as underscores, as files are named."""
        small = Func(
            Lower("identifier"),
            Value("[^+a-z0-9-]+"),
            Value("_"),
            Value("g"),
            function="regexp_replace",
            output_field=models.TextField(),
        )
        return self.alias(file_name=small).filter(file_name=name)

    def with_ranges(self) -> AdvisoryQuerySet:
        ranges = AffectedRange.objects.select_related("series", "fixed").order_by(
            "-series__ordering"
        )
        return self.select_related("product").prefetch_related(
            models.Prefetch("ranges", ranges), "revisions"
        )


class Advisory(models.Model):
    """A security fault of a product, told to everyone from `published_at` on; a draft has none."""

    class Severity(models.TextChoices):
        CRITICAL = "critical", _("Critical")
        HIGH = "high", _("High")
        MEDIUM = "medium", _("Medium")
        LOW = "low", _("Low")
        NONE = "none", _("None")

    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="advisories")
    identifier = models.CharField(_("identifier"), max_length=80, unique=True)
    cve_ids = ArrayField(
        models.CharField(max_length=24), default=list, blank=True, verbose_name=_("CVE numbers")
    )
    summary = models.CharField(_("summary"), max_length=200)
    details = models.TextField(_("details"), help_text=_("Markdown."))
    vector = models.CharField(_("CVSS vector"), max_length=200)
    score = models.DecimalField(_("CVSS score"), max_digits=3, decimal_places=1)
    severity = models.CharField(_("severity"), max_length=10, choices=Severity)
    references = ArrayField(
        models.URLField(max_length=400), default=list, blank=True, verbose_name=_("references")
    )
    credits = ArrayField(
        models.CharField(max_length=120), default=list, blank=True, verbose_name=_("credits")
    )
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    modified_at = models.DateTimeField(_("changed"))
    published_at = models.DateTimeField(_("public from"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    withdrawal = models.CharField(_("why it was withdrawn"), max_length=300, blank=True)
    queued_at = models.DateTimeField(_("repositories asked"), null=True, editable=False)

    objects: ClassVar[AdvisoryQuerySet] = AdvisoryQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("advisory")
        verbose_name_plural = _("advisories")
        ordering = ["-published_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(withdrawn_at=None)
                | (Q(published_at__isnull=False) & Q(withdrawn_at__gte=F("published_at"))),
                name="advisory_withdrawn_after_published",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at=None) | ~Q(withdrawal=""),
                name="advisory_withdrawn_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(score__gte=0) & Q(score__lte=10), name="advisory_score_of_cvss"
            ),
        ]
        indexes = [GinIndex(WORDS, name="advisory_words")]

    def __str__(self) -> str:
        return self.identifier

    def get_absolute_url(self) -> str:
        return reverse("releases:advisory", args=[self.identifier])

    def signed_document(self) -> AdvisoryDocument | None:
        """Its newest revision, once that is signed."""
        newest = self.revisions.aggregate(number=Max("number"))["number"]
        return self.documents.filter(number=newest).first()

    @property
    def manage_url(self) -> str:
        return reverse("releases:manage_advisory", args=[self.identifier])

    @property
    def early_url(self) -> str:
        """Where those who were told before everyone read it."""
        return reverse("releases:early_advisory", args=[self.identifier])

    def is_published(self, at: dt.datetime) -> bool:
        return self.published_at is not None and self.published_at <= at

    def is_embargoed(self, at: dt.datetime) -> bool:
        """Whether it has a date on which it becomes public, in the future."""
        return self.published_at is not None and self.published_at > at


class AffectedRangeQuerySet(models.QuerySet["AffectedRange"]):
    def touching(self, release: Release) -> AffectedRangeQuerySet:
        """Those of its series that were not fixed before it: it may have the fault, or the fix."""
        open_then = Q(fixed=None) | Q(fixed__ordering__gt=release.ordering) | Q(fixed=release)
        return self.filter(open_then, series=release.series_id)


class AffectedRange(models.Model):
    """Releases of one series that have the fault: from `introduced` to before `fixed`."""

    advisory = models.ForeignKey(Advisory, on_delete=models.CASCADE, related_name="ranges")
    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="+")
    introduced = models.CharField(
        _("first affected version"),
        max_length=60,
        blank=True,
        help_text=_("Empty: all from the first."),
    )
    fixed = models.ForeignKey(
        Release, null=True, blank=True, on_delete=models.PROTECT, related_name="fixes"
    )

    objects: ClassVar[AffectedRangeQuerySet] = AffectedRangeQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("affected range")
        verbose_name_plural = _("affected ranges")
        constraints = [
            models.UniqueConstraint(fields=["advisory", "series"], name="advisory_range_once"),
        ]

    def __str__(self) -> str:
        return f"{self.series}: {self.introduced or '0'}–{self.fixed.version if self.fixed else ''}"


class AdvisoryRevision(models.Model):
    """What changed in an advisory since it is public; rows are only added."""

    advisory = models.ForeignKey(Advisory, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveSmallIntegerField(_("number"))
    at = models.DateTimeField(_("date"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    summary = models.CharField(_("what changed"), max_length=200)

    objects: ClassVar[models.Manager[AdvisoryRevision]] = models.Manager()

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["advisory", "number"], name="advisory_revision_once"),
        ]

    def __str__(self) -> str:
        return f"{self.advisory} {self.number}"


class AdvisoryDocument(models.Model):
    """A revision as CSAF, with its signature: what is served from then on, byte for byte."""

    advisory = models.ForeignKey(Advisory, on_delete=models.CASCADE, related_name="documents")
    number = models.PositiveSmallIntegerField(_("revision"))
    text = models.TextField(_("text"))
    signature = models.TextField(_("detached signature"))
    signed_at = models.DateTimeField(_("signed"))

    objects: ClassVar[models.Manager[AdvisoryDocument]] = models.Manager()

    class Meta:
        verbose_name = _("signed advisory")
        verbose_name_plural = _("signed advisories")
        ordering = ["advisory", "number"]
        constraints = [
            models.UniqueConstraint(fields=["advisory", "number"], name="advisory_signed_once"),
            models.CheckConstraint(condition=~Q(signature=""), name="advisory_document_is_signed"),
        ]

    def __str__(self) -> str:
        return f"{self.advisory} {self.number}"


class EarlyNotice(models.Model):
    """Who was told of an advisory before it was public; rows are only added."""

    advisory = models.ForeignKey(Advisory, on_delete=models.PROTECT, related_name="notices")
    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    sent_at = models.DateTimeField(_("told"))
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )

    objects: ClassVar[models.Manager[EarlyNotice]] = models.Manager()

    class Meta:
        verbose_name = _("early notice")
        verbose_name_plural = _("early notices")
        ordering = ["sent_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["advisory", "organisation", "user"], name="early_notice_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.advisory}: {self.user}"
