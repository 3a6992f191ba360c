from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Func, Q
from django.utils.translation import gettext_lazy as _

from releases.models.file import File
from releases.models.key import SigningKey
from releases.models.product import Product
from releases.repository.apt import COMPONENTS, MAIN

# The same as releases.repository.buckets.slot.
SLOT = Func(
    F("name"),
    template="(('x' || substr(md5(%(expressions)s), 1, 8))::bit(32)::bigint)",
    output_field=models.BigIntegerField(),
)


class Package(models.Model):
    """A .deb or .rpm, with the paragraphs that it contributes to indices.

    They are written when it comes in (an rpm: when it is signed), so that an index is put together
    without reading the file again.
    """

    class Format(models.TextChoices):
        DEB = "deb", "deb"
        RPM = "rpm", "rpm"

    file = models.OneToOneField(File, on_delete=models.PROTECT, related_name="package")
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="+")
    format = models.CharField(_("format"), max_length=3, choices=Format)
    name = models.CharField(_("name"), max_length=128)
    version = models.CharField(_("version"), max_length=160)
    architecture = models.CharField(_("architecture"), max_length=12)
    component = models.CharField(
        _("component"),
        max_length=20,
        choices=[(name, name) for name in COMPONENTS],
        default=MAIN,
        help_text=_("main/debug: symbols for debuggers."),
    )
    slot = models.GeneratedField(
        expression=SLOT, output_field=models.BigIntegerField(), db_persist=True
    )
    path = models.CharField(
        _("path"), max_length=400, help_text=_("Below the root of a repository, derived by us.")
    )
    stanzas = models.JSONField(
        _("index paragraphs"), help_text=_("By index: packages, or primary, filelists and other.")
    )
    signed_at = models.DateTimeField(_("signed"), null=True, blank=True)
    key = models.ForeignKey(
        SigningKey, null=True, blank=True, on_delete=models.PROTECT, related_name="packages"
    )

    objects: ClassVar[models.Manager[Package]] = models.Manager()

    class Meta:
        verbose_name = _("package")
        verbose_name_plural = _("packages")
        ordering = ["name", "version", "architecture"]
        constraints = [
            models.UniqueConstraint(
                fields=["product", "format", "name", "version", "architecture"],
                name="package_once_per_product",
            ),
            models.UniqueConstraint(
                fields=["product", "format", "path"], name="package_path_once_per_product"
            ),
        ]
        indexes = [
            models.Index(
                fields=["product"],
                condition=Q(format="rpm", signed_at__isnull=True),
                name="package_to_sign",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version} {self.architecture}"
