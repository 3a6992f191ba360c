"""A resolution takes the place of an older one, on the day on which it takes effect."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from governance import clock
from governance.actions.sweep import sweep
from governance.models import Motion
from portal.lib import audit


def supersede(motion: Motion, at: datetime) -> None:
    """What follows for the resolution that an adopted motion names; the first successor counts."""
    if motion.state != Motion.State.ADOPTED or motion.supersedes_id is None:
        return
    old = Motion.objects.select_for_update(of=("self",)).get(pk=motion.supersedes_id)
    if old.superseded_by_id is not None:
        return
    old.superseded_by, old.superseded_on = motion, motion.effective_on
    old.save(update_fields=["superseded_by", "superseded_on"])
    audit.record(actor=None, verb="motion.succeeded", subject=old, by=motion.resolution)
    supersede_motion(motion_id=old.pk, at=at)


def supersede_due(*, at: datetime | None = None) -> int:
    """Mark the resolutions whose successor has taken effect; how many."""
    today = timezone.localdate(clock.now(at))
    due = list(Motion.objects.to_be_superseded(today).values_list("pk", flat=True))
    return sweep(due, lambda pk: supersede_motion(motion_id=pk, at=at))


@transaction.atomic
def supersede_motion(*, motion_id: int, at: datetime | None = None) -> bool:
    """Once, and not before its successor takes effect."""
    motion = Motion.objects.select_for_update(of=("self",)).get(pk=motion_id)
    today = timezone.localdate(clock.now(at))
    day = motion.superseded_on
    if motion.state != Motion.State.ADOPTED or day is None or day > today:
        return False
    motion.state = Motion.State.SUPERSEDED
    motion.save(update_fields=["state"])
    audit.record(actor=None, verb="motion.superseded", subject=motion)
    return True
