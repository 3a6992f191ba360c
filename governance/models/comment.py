from __future__ import annotations

from typing import Any, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

C = TypeVar("C", bound="Comment")


class CommentQuerySet(models.QuerySet[C]):
    """What people wrote about a text, in the order it was written."""

    def in_order(self) -> CommentQuerySet[C]:
        return self.select_related("author", "hidden_by").order_by("written_at", "pk")

    def shown(self) -> CommentQuerySet[C]:
        return self.filter(hidden_at__isnull=True)


class Comment(models.Model):
    """What somebody wrote about a text, or in answer to another comment; never deleted.

    A hidden comment keeps its place: who hid it, when and why stand there instead of its words.
    A kind of comment adds what it is about, and names these fields in `PLACE`: an answer stands
    at the same place as what it answers.
    """

    PLACE: tuple[str, ...] = ()
    reply_to_id: int | None

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("author"),
    )
    text = models.TextField(_("comment"), max_length=5000)
    written_at = models.DateTimeField(_("written"))
    reply_to = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="replies",
        verbose_name=_("answers"),
    )
    hidden_at = models.DateTimeField(_("hidden"), null=True, blank=True)
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("hidden by"),
    )
    hidden_because = models.CharField(_("hidden because"), max_length=300, blank=True)

    class Meta:
        abstract = True
        ordering = ["written_at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="%(class)s_hidden_with_reason",
                condition=Q(hidden_at__isnull=True, hidden_by__isnull=True, hidden_because="")
                | (Q(hidden_at__isnull=False, hidden_by__isnull=False) & ~Q(hidden_because="")),
            ),
            models.CheckConstraint(name="%(class)s_says_something", condition=~Q(text="")),
        ]

    def __str__(self) -> str:
        return f"{self.author}: {self.text[:60]}"

    @property
    def is_hidden(self) -> bool:
        return self.hidden_at is not None

    @property
    def place(self) -> tuple[Any, ...]:
        """What it is about, to compare with another comment of its kind."""
        return tuple(getattr(self, f"{name}_id") for name in self.PLACE)
