from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from releases.checklist import ABOUT_FILES, STEPS
from releases.models.release import Release


class ChecklistItemQuerySet(models.QuerySet["ChecklistItem"]):
    def open(self) -> ChecklistItemQuerySet:
        return self.filter(ticked_at__isnull=True)

    def about_files(self) -> ChecklistItemQuerySet:
        """Ticks that speak of the files as they were."""
        return self.filter(step__in=ABOUT_FILES, ticked_at__isnull=False)

    def holding_up(self) -> ChecklistItemQuerySet:
        """What the release waits for."""
        return self.open().filter(is_required=True)


class ChecklistItem(models.Model):
    """A thing to do before a release goes out, and who said that it is done."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="checklist")
    step = models.SlugField(
        _("step"), max_length=40, blank=True, help_text=_("Empty for one that a manager added.")
    )
    text = models.CharField(_("what to do"), max_length=200)
    is_required = models.BooleanField(_("the release waits for it"), default=False)
    ticked_at = models.DateTimeField(_("done"), null=True, blank=True)
    ticked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    objects = ChecklistItemQuerySet.as_manager()

    class Meta:
        verbose_name = _("checklist item")
        verbose_name_plural = _("checklist items")
        ordering = ["release", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "step"], condition=~Q(step=""), name="checklist_step_once"
            ),
            models.UniqueConstraint(fields=["release", "text"], name="checklist_text_once"),
            models.CheckConstraint(
                condition=Q(ticked_at__isnull=True, ticked_by__isnull=True)
                | Q(ticked_at__isnull=False, ticked_by__isnull=False),
                name="checklist_ticked_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def words(self) -> str | Promise:
        """The text in the language of the reader, where it is one of our own steps."""
        return STEPS[self.step].text if self.step in STEPS else self.text
