from datetime import datetime

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AuditEntry(models.Model):
    """Who did what to which row, and when. The database refuses to change or delete one."""

    at = models.DateTimeField(_("at"), default=timezone.now, editable=False)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("actor"),
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    verb = models.CharField(_("verb"), max_length=80)
    subject_kind = models.CharField(_("subject kind"), max_length=80)
    subject_id = models.CharField(_("subject id"), max_length=64)
    subject_name = models.CharField(_("subject"), max_length=200)
    detail = models.JSONField(_("detail"), default=dict, encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["subject_kind", "subject_id"], name="audit_subject"),
            models.Index(fields=["verb"], name="audit_verb"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.verb} {self.subject_name}"


class OutboxMailQuerySet(models.QuerySet["OutboxMail"]):
    def due(self, at: datetime) -> "OutboxMailQuerySet":
        return self.filter(sent_at__isnull=True, given_up_at__isnull=True, not_before__lte=at)


class OutboxMail(models.Model):
    """A letter that was promised inside a transaction and leaves after its commit."""

    key = models.CharField(_("key"), max_length=200, unique=True, help_text=_("Never sent twice."))
    recipient = models.EmailField(_("recipient"))
    subject = models.CharField(_("subject"), max_length=250)
    text = models.TextField(_("text"))
    html = models.TextField(_("HTML"), blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    not_before = models.DateTimeField(_("not before"), default=timezone.now)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    last_error = models.CharField(_("last error"), max_length=300, blank=True)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    given_up_at = models.DateTimeField(_("given up"), null=True, blank=True)

    objects = OutboxMailQuerySet.as_manager()

    class Meta:
        verbose_name = _("outgoing mail")
        verbose_name_plural = _("outgoing mails")
        ordering = ["-id"]
        indexes = [
            models.Index(
                fields=["not_before"],
                name="outbox_due",
                condition=models.Q(sent_at__isnull=True, given_up_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.recipient}: {self.subject}"
