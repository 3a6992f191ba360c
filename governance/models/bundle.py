from __future__ import annotations

from django.db import models
from django.db.models import Value
from django.db.models.functions import Cast, Concat
from django.utils.translation import gettext_lazy as _

from governance.bundle.records import path_of
from releases.models import SigningKey


def _text(column: str) -> Cast:
    return Cast(models.OuterRef(column), models.CharField())


class RecordQuerySet(models.QuerySet["Record"]):
    def newest(self) -> Record | None:
        """The last one, without its content."""
        return self.defer("body").order_by("number").last()

    def last_editions(self) -> RecordQuerySet:
        """Of each name the newest record, without its content."""
        return self.defer("body").order_by("name", "-edition").distinct("name")

    def named(self, *parts: str) -> RecordQuerySet:
        """Of the row of an outer query: those named by its columns, with `/` and `-` between:
        `named("motions/", "slug")`.
        """
        written = [Value(part) if part[-1] in "/-" else _text(part) for part in parts]
        return self.filter(name=Concat(*written))


class Record(models.Model):
    """Something that was decided, written once as it goes into every bundle.

    Records follow each other without a gap; `head` stands for all up to this one. What comes later
    (a resolution is superseded) is another edition. A trigger of the database refuses any edit.
    """

    number = models.PositiveIntegerField(_("number"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    edition = models.PositiveSmallIntegerField(_("edition"))
    body = models.TextField(_("content"))
    sha256 = models.CharField(max_length=64)
    head = models.CharField(max_length=64)
    written_at = models.DateTimeField(_("written"))

    objects = RecordQuerySet.as_manager()

    class Meta:
        verbose_name = _("record")
        verbose_name_plural = _("records")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["name", "edition"], name="record_edition_once"),
            models.CheckConstraint(
                name="record_counts_from_one",
                condition=models.Q(number__gte=1, edition__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def path(self) -> str:
        return path_of(self.name, self.edition)


class RecordMark(models.Model):
    """Up to which entry the audit log was looked through for what was done to decided motions."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    audit = models.BigIntegerField(_("entry of the audit log"))

    class Meta:
        verbose_name = _("mark of the records")
        verbose_name_plural = _("marks of the records")
        constraints = [
            models.CheckConstraint(name="record_mark_is_one", condition=models.Q(id=1)),
        ]

    def __str__(self) -> str:
        return str(self.audit)


class BundleQuerySet(models.QuerySet["Bundle"]):
    def newest_first(self) -> BundleQuerySet:
        return self.order_by("-signed_at", "-pk")


class Bundle(models.Model):
    """The signed list of all records up to a moment. The newest one keeps its archive; every older
    one is the beginning of it. `beside_sha256` stands for all that lies beside the records.
    """

    size = models.PositiveIntegerField(_("records"))
    head = models.CharField(max_length=64)
    manifest = models.TextField(_("list"))
    beside_sha256 = models.CharField(max_length=64)
    signature = models.TextField(_("signature"))
    key = models.ForeignKey(SigningKey, on_delete=models.PROTECT, related_name="+")
    signed_at = models.DateTimeField(_("signed"))
    packed = models.BinaryField(_("archive"), null=True)

    objects = BundleQuerySet.as_manager()

    class Meta:
        verbose_name = _("bundle")
        verbose_name_plural = _("bundles")
        ordering = ["-signed_at", "-pk"]
        constraints = [
            models.CheckConstraint(name="bundle_holds_records", condition=models.Q(size__gte=1))
        ]

    def __str__(self) -> str:
        return f"{self.size}: {self.head[:12]}"
