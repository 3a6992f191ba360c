from __future__ import annotations

import gzip
import uuid
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchmarks.access import MAINTAINERS
from benchmarks.models.queue import Queued, due
from benchmarks.models.signer import Signer
from benchmarks.models.suite import Suite
from portal.accounts.models import User
from portal.accounts.roles import has_role

QUICK: Final = 4  # of gzip: an eighth of the time of its best, for a few bytes more
WAITS: Final = timedelta(days=30)  # a run without an account, unless claimed or accepted


class State(models.TextChoices):
    PUBLISHED = "published", _("published")
    QUARANTINE = "quarantine", _("waits for a look")
    REJECTED = "rejected", _("rejected")
    WITHDRAWN = "withdrawn", _("withdrawn")
    SUPERSEDED = "superseded", _("superseded")


class Trust(models.IntegerChoices):
    """The ladder: how much stands behind a number."""

    PUBLISHED = 0, _("published elsewhere")
    ANONYMOUS = 1, _("anonymous")
    SIGNED_IN = 2, _("signed in")
    SIGNED = 3, _("signed")
    OUR_RUNNER = 4, _("made by our runner")
    REPRODUCED = 5, _("reproduced")


class RunQuerySet(models.QuerySet["Run"]):
    def published(self) -> RunQuerySet:
        return self.filter(state=State.PUBLISHED)

    def waiting(self) -> RunQuerySet:
        """The quarantine, oldest first."""
        return self.filter(state=State.QUARANTINE).order_by("uploaded_at", "pk")

    def rejected(self) -> RunQuerySet:
        """Those that are still there, newest first."""
        return self.filter(state=State.REJECTED).order_by("-uploaded_at", "-pk")

    def visible_to(self, user: User | AnonymousUser) -> RunQuerySet:
        """What everybody may see, one's own runs, and for staff all of them."""
        open_to_all = Q(state__in=[State.PUBLISHED, State.WITHDRAWN, State.SUPERSEDED])
        if not isinstance(user, User):
            return self.filter(open_to_all)
        if has_role(user, *MAINTAINERS):
            return self.all()
        return self.filter(open_to_all | Q(uploader=user))

    def left_alone(self, at: datetime) -> RunQuerySet:
        """Sent without an account, and nobody has claimed or accepted it in time."""
        return self.filter(
            uploader__isnull=True,
            state__in=[State.QUARANTINE, State.REJECTED],
            uploaded_at__lt=at - WAITS,
        )

    def to_compute(self, at: datetime) -> RunQuerySet:
        """The queue of the statistics."""
        return self.filter(due(at)).order_by("pk")


class Run(Queued):
    """One upload: everything that was measured together, on one machine."""

    uid = models.UUIDField(_("run id"), unique=True, default=uuid.uuid4, editable=False)
    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="runs")
    state = models.CharField(_("state"), max_length=12, choices=State)
    trust = models.PositiveSmallIntegerField(_("trust"), choices=Trust)
    uploader = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    claim_hash = models.CharField(_("hash of the claim token"), max_length=64, blank=True)
    contact = models.EmailField(_("address for the answer"), blank=True)
    reason = models.CharField(_("reason of its state"), max_length=300, blank=True)
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="supersedes"
    )
    signer = models.ForeignKey(Signer, null=True, on_delete=models.PROTECT, related_name="runs")
    signed_as = models.CharField(_("what the signature names"), max_length=300, blank=True)
    measured_hash = models.CharField(
        _("hash of what was measured"), max_length=64, blank=True, db_index=True
    )
    title = models.CharField(_("title"), max_length=200, blank=True)
    notes = models.TextField(_("notes"), blank=True)
    source = models.CharField(_("source"), max_length=500, blank=True)
    source_url = models.URLField(_("address of the source"), max_length=500, blank=True)
    format = models.CharField(_("format"), max_length=30)
    tool = models.JSONField(_("tool"), default=dict)
    tags = models.JSONField(_("tags"), default=list)
    order = models.CharField(_("order"), max_length=12, default="unknown")
    environment = models.JSONField(_("environment"), default=dict)
    machine = models.CharField(_("fingerprint of the machine"), max_length=64, blank=True)
    remarks = models.JSONField(_("remarks of the reader"), default=list)
    started_at = models.DateTimeField(_("started"), null=True)
    finished_at = models.DateTimeField(_("finished"), null=True)
    uploaded_at = models.DateTimeField(_("uploaded"), default=timezone.now)

    objects: ClassVar[models.Manager[Run]] = RunQuerySet.as_manager()

    class Meta:
        verbose_name = _("benchmark run")
        verbose_name_plural = _("benchmark runs")
        ordering = ["-uploaded_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=State.values), name="benchmark_run_state_known"
            ),
            models.CheckConstraint(
                condition=Q(trust__in=Trust.values), name="benchmark_run_trust_known"
            ),
            models.CheckConstraint(
                condition=Q(trust__lt=Trust.SIGNED_IN) | Q(uploader__isnull=False),
                name="benchmark_run_signed_in_has_uploader",
            ),
            models.CheckConstraint(
                condition=~Q(trust=Trust.PUBLISHED) | ~Q(source=""),
                name="benchmark_run_published_has_source",
            ),
            models.CheckConstraint(
                condition=Q(claim_hash="") | Q(uploader__isnull=True),
                name="benchmark_run_claimed_once",
            ),
        ]
        indexes = [
            models.Index(fields=["suite", "state", "-uploaded_at"], name="benchmark_run_of_suite"),
            models.Index(fields=["machine", "-uploaded_at"], name="benchmark_run_of_machine"),
            models.Index(
                fields=["id"], name="benchmark_run_queue", condition=Q(computed_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return self.title or f"{self.suite.name}, {self.uploaded_at:%Y-%m-%d %H:%M}"

    def get_absolute_url(self) -> str:
        return reverse("benchmarks:run", args=[self.uid])

    @property
    def is_published_elsewhere(self) -> bool:
        """A figure of somebody else, not reproduced here: drawn hollow."""
        return self.trust == Trust.PUBLISHED


class Original(models.Model):
    """The uploaded file as it may be kept, packed, in the transaction of its run."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="original")
    packed = models.BinaryField(_("packed file"))
    size = models.PositiveIntegerField(_("size"))
    sha256 = models.CharField(_("SHA-256 of what was sent"), max_length=64)

    class Meta:
        verbose_name = _("original file")
        verbose_name_plural = _("original files")

    def __str__(self) -> str:
        return self.sha256

    def content(self) -> bytes:
        return gzip.decompress(bytes(self.packed))

    @classmethod
    def packed_from(cls, run: Run, content: bytes, sha256: str) -> Original:
        fields: dict[str, Any] = {"size": len(content), "sha256": sha256}
        return cls(run=run, packed=gzip.compress(content, QUICK, mtime=0), **fields)
