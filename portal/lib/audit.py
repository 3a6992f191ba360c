"""The audit log: one append-only row for every act that matters.

Call `record` inside the action's transaction, so that act and row stand or fall together.
"""

from collections.abc import Iterable
from typing import Any

from django.db import models

from portal.lib import languages
from portal.lib.models import AuditEntry
from portal.lib.money import Money


def record(*, actor: models.Model | None, verb: str, subject: models.Model, **detail: Any) -> None:
    """Write that `actor` (None: the system) did `verb` ("motion.open") to `subject`.

    `detail` must be JSON, or money, and must hold no secret: numbers, names, states before and
    after. The log is in the foundation's language, whoever acts.
    """
    with languages.of_record():
        _entry(actor, verb, subject, detail).save(force_insert=True)


def record_all(
    *,
    actor: models.Model | None,
    verb: str,
    subjects: Iterable[tuple[models.Model, dict[str, Any]]],
) -> None:
    """The same act done to several, each with its detail, in one statement."""
    with languages.of_record():
        AuditEntry.objects.bulk_create(_entry(actor, verb, one, detail) for one, detail in subjects)


def _entry(
    actor: models.Model | None, verb: str, subject: models.Model, detail: dict[str, Any]
) -> AuditEntry:
    return AuditEntry(
        actor_id=actor.pk if actor is not None else None,
        verb=verb,
        subject_kind=subject._meta.label_lower,
        subject_id=str(subject.pk),
        subject_name=str(subject)[:200],
        detail={
            name: str(said) if isinstance(said, Money) else said for name, said in detail.items()
        },
    )
