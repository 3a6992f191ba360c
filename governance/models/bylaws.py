from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from governance.models.body import Body


class Bylaws(models.Model):
    """A text that binds the foundation, in versions that are adopted by motions of a body."""

    slug = models.SlugField(_("address"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=120)
    cited_as = models.CharField(
        _("cited as"),
        max_length=30,
        unique=True,
        help_text=_("One word before the number of a clause: “Bylaw” in “Bylaw 4.2”."),
    )
    body = models.ForeignKey(Body, on_delete=models.PROTECT, related_name="bylaws")
    subject = models.SlugField(
        _("changed by the rules for"),
        max_length=40,
        help_text=_("The subject of the body’s rules by which a change is voted on."),
    )
    position = models.PositiveSmallIntegerField(_("place in lists"), default=100)

    objects: ClassVar[models.Manager[Bylaws]] = models.Manager()

    class Meta:
        verbose_name = _("bylaws")
        verbose_name_plural = _("bylaws")
        ordering = ["position", "name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("governance:bylaws", args=[self.slug])
