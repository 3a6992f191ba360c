"""Writing an election, announcing it, calling it off."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.elections import running
from governance.models import ConfidentialBallot, Contest, Election, ElectionRound, Seat
from governance.refusals import Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit


@dataclass(frozen=True, slots=True)
class ContestPlan:
    """A contest as it is to be: its columns, and the seats it fills."""

    fields: dict[str, Any]
    seats: Sequence[Seat] = ()


@transaction.atomic
def draft_election(
    *,
    actor: User,
    election: Election,
    contests: Sequence[ContestPlan],
    at: datetime | None = None,
) -> Election:
    """A draft that only those read who run elections of the body. `election` is not saved yet."""
    moment = clock.now(at)
    allowed(running.not_to_run(actor, election.body, moment))
    election.created_by, election.drafted_at = actor, moment
    election.save(force_insert=True)
    _write_contests(election, contests)
    audit.record(actor=actor, verb="election.drafted", subject=election, body=election.body.slug)
    return election


@transaction.atomic
def edit_election(
    *,
    actor: User,
    election: Election,
    changed: dict[str, Any],
    contests: Sequence[ContestPlan],
    at: datetime | None = None,
) -> Election:
    """Change a draft, or the dates and words of what was announced: its contests stay then."""
    election = locked(election)
    moment = clock.now(at)
    allowed(running.not_to_edit(actor, election, moment))
    if (
        election.roll_drawn_at
        and changed.get("record_at", election.record_at) != election.record_at
    ):
        raise Refusal(_("The roll of that record date is drawn and shown. The date stays."))
    for name, value in changed.items():
        setattr(election, name, value)
    election.full_clean()
    election.save()
    if election.state == Election.State.DRAFT:
        _write_contests(election, contests)
    audit.record(actor=actor, verb="election.edited", subject=election, fields=sorted(changed))
    return election


@transaction.atomic
def announce_election(*, actor: User, election: Election, at: datetime | None = None) -> Election:
    """Everybody reads it from now on, and may nominate when the window opens."""
    election = locked(election)
    moment = clock.now(at)
    allowed(running.not_to_announce(actor, election, moment))
    election.state, election.announced_at = Election.State.ANNOUNCED, moment
    election.save(update_fields=["state", "announced_at"])
    audit.record(actor=actor, verb="election.announced", subject=election)
    return election


@transaction.atomic
def cancel_election(
    *, actor: User, election: Election, because: str, at: datetime | None = None
) -> Election:
    """Call it off; what was done so far stays on record. Everybody on the roll is told."""
    election = locked(election)
    moment = clock.now(at)
    allowed(running.not_to_cancel(actor, election, moment))
    if not because.strip():
        raise Refusal(_("Say why: everybody reads it."))
    election.state, election.cancelled_at = Election.State.CANCELLED, moment
    election.cancelled_because = because.strip()
    election.save(update_fields=["state", "cancelled_at", "cancelled_because"])
    ConfidentialBallot.objects.of(election).delete()
    begin_round(election, ElectionRound.Kind.CANCELLED, moment)
    audit.record(actor=actor, verb="election.cancelled", subject=election, because=because)
    return election


def begin_round(election: Election, kind: ElectionRound.Kind, at: datetime) -> None:
    """Everybody on the rolls gets a letter; written down in the transaction of what it tells."""
    ElectionRound.objects.get_or_create(election=election, kind=kind, defaults={"begun_at": at})


def locked(election: Election) -> Election:
    """The row, ours until the transaction ends; the clock is read after it."""
    elections = Election.objects.select_for_update(of=("self",)).select_related("body")
    return elections.get(pk=election.pk)


def _write_contests(election: Election, plans: Sequence[ContestPlan]) -> None:
    """All of them anew: a draft has nothing yet that hangs on a contest."""
    Contest.objects.filter(election=election).delete()
    for number, plan in enumerate(plans, start=1):
        contest = Contest(election=election, number=number, **plan.fields)
        contest.full_clean(exclude=["election"])
        contest.save()
        contest.seats.set(plan.seats)
