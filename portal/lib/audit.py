"""The audit log: one append-only row for every act that matters.

Call `record` inside the action's transaction, so that act and row stand or fall together.
"""

from typing import Any

from django.db import models

from portal.lib.models import AuditEntry


def record(*, actor: models.Model | None, verb: str, subject: models.Model, **detail: Any) -> None:
    """Write that `actor` (None: the system) did `verb` ("motion.open") to `subject`.

    `detail` must be JSON and must hold no secret: numbers, names, states before and after.
    """
    AuditEntry.objects.create(
        actor_id=actor.pk if actor is not None else None,
        verb=verb,
        subject_kind=subject._meta.label_lower,
        subject_id=str(subject.pk),
        subject_name=str(subject)[:200],
        detail=detail,
    )
