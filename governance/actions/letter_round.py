"""Writing to everybody on a roster: a body at once, the roll of members in batches by a sweep."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache, partial

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import get_language

from governance import clock, letters
from governance.actions.rounds import go_through
from governance.consent import letters as consent_letters
from governance.models import Consent, LetterRound, Motion, RosterSeat, Vote
from governance.motions import results

BATCH = 200  # letters in a transaction
BATCHES = 20  # in one run of the sweep
Kind = LetterRound.Kind
Write = Callable[[Iterable[RosterSeat]], None]  # to all of them


def write_to_roster(motion: Motion, kind: Kind, *, at: datetime) -> None:
    """Promise a letter to everybody whom it concerns, in the transaction of what it tells.

    A body is few. Of a roll, which may have thousands, only the round is written down.
    """
    if motion.electorate != Motion.Electorate.BODY:
        LetterRound.objects.get_or_create(motion=motion, kind=kind, defaults={"begun_at": at})
        return
    WRITERS[kind](motion)(recipients(motion, kind, at))


def promise_due(*, batches: int = BATCHES) -> int:
    """Promise what is due of every round; how many letters. What fails waits for the next run."""
    running = LetterRound.objects.running().values_list("pk", flat=True)
    return go_through(running, lambda pk: promise_batch(round_id=pk), batch=BATCH, batches=batches)


@transaction.atomic
def promise_batch(*, round_id: int, at: datetime | None = None) -> int:
    """The next letters of a round, and how far it got, together or not at all."""
    rounds = LetterRound.objects.running().select_for_update(skip_locked=True)
    found = rounds.filter(pk=round_id).first()
    if found is None:
        return 0
    motion = Motion.objects.with_votes().get(pk=found.motion_id)
    moment = clock.now(at)
    voters = [] if _is_late(found, motion) else _next(found, motion, moment)
    WRITERS[Kind(found.kind)](motion)(voters)
    if voters:
        found.reached = voters[-1].number
    if len(voters) < BATCH:
        found.done_at = moment
    found.save(update_fields=["reached", "done_at"])
    return len(voters)


def recipients(motion: Motion, kind: Kind, at: datetime) -> QuerySet[RosterSeat]:
    """Who is on the roster and has not done yet what the letter asks for."""
    voters = motion.roster.exclude(user=None).select_related("user").order_by("number")
    if kind == Kind.REMINDER:
        return voters.filter(~Exists(Vote.objects.filter(voter=OuterRef("pk"))))
    if kind == Kind.SIGN_REMINDER:
        return voters.exclude(pk__in=_signed(motion.consent, at))
    return voters


def _next(found: LetterRound, motion: Motion, at: datetime) -> list[RosterSeat]:
    left = recipients(motion, Kind(found.kind), at).filter(number__gt=found.reached)
    return list(left[:BATCH])


def _is_late(found: LetterRound, motion: Motion) -> bool:
    """Nobody is asked any more for what is decided or withdrawn."""
    asks = {Kind.OPENED, Kind.REMINDER, Kind.TO_SIGN, Kind.SIGN_REMINDER}
    return found.kind in asks and motion.state != Motion.State.OPEN


def _of_result(motion: Motion) -> Write:
    """The report is worded once for each language that somebody reads."""
    worded = cache(lambda _language: results.report(motion))
    return partial(letters.result, motion, report=lambda: worded(get_language()))


def _of_end(motion: Motion) -> Write:
    consent = motion.consent
    signed = set(_signed(consent, motion.decided_at or consent.deadline))
    return partial(consent_letters.ended, motion, signed=signed)


def _signed(consent: Consent, at: datetime) -> list[int]:
    return list(consent.signatures.standing(at).values_list("voter_id", flat=True))


# What a letter needs besides its reader is asked once a batch.
WRITERS: dict[Kind, Callable[[Motion], Write]] = {
    Kind.OPENED: lambda motion: partial(letters.opened, motion),
    Kind.REMINDER: lambda motion: partial(letters.reminder, motion),
    Kind.RESULT: _of_result,
    Kind.WITHDRAWN: lambda motion: partial(letters.withdrawn, motion),
    Kind.TO_SIGN: lambda motion: partial(consent_letters.to_sign, motion),
    Kind.SIGN_REMINDER: lambda motion: partial(consent_letters.reminder, motion),
    Kind.CONSENT_ENDED: _of_end,
}
