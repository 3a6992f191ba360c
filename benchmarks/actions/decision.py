"""What happens to a run after it was kept: accepted, rejected, claimed, withdrawn, superseded."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import OuterRef, Subquery

from benchmarks import keys
from benchmarks.actions import doubts
from benchmarks.models import Result, Run, State, Trust
from portal.accounts.models import User
from portal.lib import audit, outbox

WAITING: Final = (State.QUARANTINE, State.REJECTED)


@transaction.atomic
def accept_run(*, actor: User, run: Run, reason: str = "") -> bool:
    """Out of quarantine, seen by everybody; False when it was not waiting any more."""
    moved = _move(actor, run, State.QUARANTINE, State.PUBLISHED, "benchmark_run.accept", reason)
    return moved and _answered(run)


@transaction.atomic
def reject_run(*, actor: User, run: Run, reason: str = "") -> bool:
    """Out of quarantine, seen by staff and its uploader only."""
    moved = _move(actor, run, State.QUARANTINE, State.REJECTED, "benchmark_run.reject", reason)
    return moved and _answered(run)


@transaction.atomic
def reopen_run(*, actor: User, run: Run, reason: str = "") -> bool:
    """A rejected run waits again, until it would have been deleted; its sender hears nothing, as
    the address was forgotten with the first answer.
    """
    verb = "benchmark_run.reopen"
    return _move(actor, run, State.REJECTED, State.QUARANTINE, verb, reason)


@transaction.atomic
def withdraw_run(*, actor: User | None, run: Run, reason: str = "") -> bool:
    """Out of lists and comparisons; its page stays and says so. Its uploader hears of it when
    somebody else did it.
    """
    moved = _move(actor, run, State.PUBLISHED, State.WITHDRAWN, "benchmark_run.withdraw", reason)
    if moved and actor is not None and run.uploader_id not in {None, actor.pk}:
        _tell(run)
    return moved


@transaction.atomic
def supersede_run(*, actor: User, run: Run, by: Run) -> bool:
    """Give way to a later run of the same uploader and suite; the page stays and leads to it.

    Raises ValueError for a run that cannot take its place.
    """
    same = by.uploader_id == run.uploader_id and by.suite_id == run.suite_id
    if by.pk == run.pk or not same or by.state != State.PUBLISHED:
        raise ValueError("a run gives way to another public run of its uploader and suite")
    return _move(
        actor,
        run,
        State.PUBLISHED,
        State.SUPERSEDED,
        "benchmark_run.supersede",
        "",
        superseded_by=by,
    )


@transaction.atomic
def claim_run(*, actor: User, run: Run, token: str) -> bool:
    """Sign for a run that came without an account; False when the token is not good any more."""
    if not keys.fits(token, run.claim_hash):
        return False
    open_to_claim = Run.objects.filter(
        pk=run.pk,
        claim_hash=run.claim_hash,
        uploader__isnull=True,
        state__in=[State.QUARANTINE, State.PUBLISHED],
    )
    claimed = open_to_claim.update(
        uploader=actor,
        claim_hash="",
        contact="",
        trust=Trust.SIGNED_IN,
        state=State.PUBLISHED,
    )
    if claimed:
        Result.objects.filter(run=run.pk).update(trust=Trust.SIGNED_IN)
        run.refresh_from_db()
        audit.record(actor=actor, verb="benchmark_run.claim", subject=run)
        doubts.recount(run)
    return bool(claimed)


@transaction.atomic
def delete_run(*, run: Run) -> bool:
    """Whoever sent a run without an account takes it away. One that was accepted is withdrawn, so
    that links to it still say what it was.
    """
    if run.state == State.PUBLISHED and run.uploader_id is None:
        return withdraw_run(actor=None, run=run)
    return _delete(run, "benchmark_run.delete")


def forget_left_alone(*, at: datetime) -> int:
    """Delete what came without an account and was neither claimed nor accepted in thirty days."""
    count = 0
    for run in Run.objects.left_alone(at):
        with transaction.atomic():
            count += _delete(run, "benchmark_run.expire")
    return count


def _delete(run: Run, verb: str) -> bool:
    waiting = Run.objects.select_for_update().filter(
        pk=run.pk, uploader__isnull=True, state__in=WAITING
    )
    found = waiting.first()
    if found is None:
        return False
    audit.record(actor=None, verb=verb, subject=found)
    found.delete()
    return True


def _move(
    actor: User | None,
    run: Run,
    before: State,
    after: State,
    verb: str,
    reason: str,
    **more: Any,
) -> bool:
    moved = Run.objects.filter(pk=run.pk, state=before).update(state=after, reason=reason, **more)
    if moved:
        run.state, run.reason = after, reason
        if before == State.PUBLISHED:
            _not_reproduced_by(run)
        audit.record(actor=actor, verb=verb, subject=run, reason=reason)
    return bool(moved)


def _not_reproduced_by(run: Run) -> None:
    """What only this run had reproduced stands on the rung of its own run again."""
    confirmed = Result.objects.filter(reproduced_by=run)
    left = list(Run.objects.filter(results__in=confirmed).distinct())
    own = Run.objects.filter(pk=OuterRef("run")).values("trust")
    confirmed.update(reproduced_by=None, trust=Subquery(own))
    for other in left:
        doubts.recount(other)


def _answered(run: Run) -> bool:
    """Tell the sender, and forget the address that was kept for it."""
    _tell(run)
    Run.objects.filter(pk=run.pk).update(contact="")
    return True


def _tell(run: Run) -> None:
    to = run.uploader.email if run.uploader else run.contact
    if not to:
        return
    outbox.enqueue(
        to=to,
        template="benchmark_decided",
        context={
            "run": run,
            "state": run.state,
            "link": f"{settings.BASE_URL}{keys.address_of(run)}",
        },
        key=f"benchmark-run-{run.pk}-{run.state}",
    )
