from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    def matching(
        self,
        *,
        actor: str = "",
        verb: str = "",
        subject: str = "",
        since: date | None = None,
        until: date | None = None,
    ) -> "AuditEntryQuerySet":
        """Entries by part of the actor's address or name, verb, part of the subject, and days."""
        found = self
        if actor:
            named = models.Q(actor__email__icontains=actor) | models.Q(actor__name__icontains=actor)
            found = found.filter(named)
        if verb:
            found = found.filter(verb=verb)
        if subject:
            about = models.Q(subject_name__icontains=subject) | models.Q(subject_id=subject)
            found = found.filter(about | models.Q(subject_kind__icontains=subject))
        if since:
            found = found.filter(at__gte=_midnight(since))
        if until:
            found = found.filter(at__lt=_midnight(until + timedelta(days=1)))
        return found


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


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

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["subject_kind", "subject_id"], name="audit_subject"),
            models.Index(fields=["verb"], name="audit_verb"),
            models.Index(fields=["at"], name="audit_at"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.verb} {self.subject_name}"


OUTBOX_STATES = {
    "waiting": {"sent_at__isnull": True, "given_up_at__isnull": True},
    "sent": {"sent_at__isnull": False},
    "given_up": {"given_up_at__isnull": False},
}


class OutboxMailQuerySet(models.QuerySet["OutboxMail"]):
    def due(self, at: datetime) -> "OutboxMailQuerySet":
        return self.in_state("waiting").filter(not_before__lte=at)

    def about(self, names: Iterable[str]) -> "OutboxMailQuerySet":
        """The history of what is called so, newest first. An empty name is nobody's."""
        return self.filter(about__in=[name for name in names if name])

    def in_state(self, state: str) -> "OutboxMailQuerySet":
        """`waiting`, `sent` or `given_up`."""
        return self.filter(**OUTBOX_STATES[state])


class OutboxMail(models.Model):
    """A letter that was promised inside a transaction and leaves after its commit."""

    key = models.CharField(_("key"), max_length=200, unique=True, help_text=_("Never sent twice."))
    recipient = models.EmailField(_("recipient"))
    subject = models.CharField(_("subject"), max_length=250)
    text = models.TextField(_("text"))
    html = models.TextField(_("HTML"), blank=True)
    calendar = models.TextField(
        _("calendar"), blank=True, help_text=_("An event in the form of calendar programs.")
    )
    about = models.CharField(
        _("about"), max_length=120, blank=True, help_text=_("Whose history it belongs to.")
    )
    headers = models.JSONField(_("more headers"), default=dict, blank=True)
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
            ),
            models.Index(fields=["about"], name="outbox_about", condition=~models.Q(about="")),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sent_at__isnull=True) | models.Q(given_up_at__isnull=True),
                name="outbox_mail_sent_or_given_up",
            )
        ]

    def __str__(self) -> str:
        return f"{self.recipient}: {self.subject}"

    @property
    def state(self) -> str:
        """`waiting`, `sent` or `given_up`."""
        if self.sent_at is not None:
            return "sent"
        return "waiting" if self.given_up_at is None else "given_up"
