"""Writing to everybody on the rolls of an election: rounds that a sweep goes through in batches."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from governance import clock
from governance.actions.election import begin_round, locked
from governance.actions.rounds import go_through
from governance.actions.sweep import sweep
from governance.elections import round_letters
from governance.models import Election, ElectionRound, RollEntry
from portal.lib import outbox

BATCH = 200  # entries of rolls in a transaction
BATCHES = 20  # in one run of the sweep
Kind = ElectionRound.Kind
State = Election.State
# How long before the close, the last first: who comes late to both is reminded once.
REMINDERS = ((Kind.LAST_CALL, timedelta(hours=24)), (Kind.REMINDER, timedelta(days=3)))
ASKS = (Kind.OPENED, Kind.REMINDER, Kind.LAST_CALL)


def begin_due(*, at: datetime | None = None) -> int:
    """Begin the rounds of elections in which votes are taken now; in how many one began."""
    voting = Election.objects.voting(clock.now(at)).values_list("pk", flat=True)
    return sweep(list(voting), lambda pk: _begin(pk, at))


def _begin(election_id: int, at: datetime | None) -> bool:
    """That it is open, then the reminder whose time has come, each once."""
    election = locked(Election(pk=election_id))
    moment = clock.now(at)
    if not election.takes_votes(moment):
        return False
    begun = set(election.rounds.values_list("kind", flat=True))
    if Kind.OPENED not in begun:
        begin_round(election, Kind.OPENED, moment)
        return True
    for kind, before in REMINDERS:
        if moment >= election.closes_at - before:
            if kind in begun or _opened_just_now(election, before):
                return False
            begin_round(election, kind, moment)
            return True
    return False


def _opened_just_now(election: Election, before: timedelta) -> bool:
    """A vote that is shorter than the time of the reminder has told everybody by its opening."""
    return election.opens_at >= election.closes_at - before


def promise_due(*, batches: int = BATCHES) -> int:
    """Promise what is due of every round; of how many entries. What fails waits for the next."""
    running = ElectionRound.objects.running().values_list("pk", flat=True)
    return go_through(running, lambda pk: promise_batch(round_id=pk), batch=BATCH, batches=batches)


@transaction.atomic
def promise_batch(*, round_id: int, at: datetime | None = None) -> int:
    """The next letters of a round, and how far it got, together or not at all."""
    rounds = ElectionRound.objects.running().select_for_update(skip_locked=True, of=("self",))
    found = rounds.filter(pk=round_id).select_related("election__body").first()
    if found is None:
        return 0
    moment = clock.now(at)
    kind = Kind(found.kind)
    late = kind in ASKS and not found.election.takes_votes(moment)
    entries = [] if late else _next(found)
    if entries:
        outbox.enqueue_all(round_letters.of_kind(kind, found.election, entries))
        found.reached = entries[-1].pk
    if len(entries) < BATCH:
        found.done_at = moment
    found.save(update_fields=["reached", "done_at"])
    return len(entries)


def recipients(election: Election, kind: Kind) -> QuerySet[RollEntry]:
    """Whose votes the letter is about; a reminder is for those who have no credential yet."""
    entries = RollEntry.objects.filter(contest__election=election, removed_at__isnull=True)
    if kind in {Kind.REMINDER, Kind.LAST_CALL}:
        entries = entries.filter(credential=None)
    return entries.select_related("contest__election", "voter").order_by("pk")


def _next(found: ElectionRound) -> list[RollEntry]:
    left = recipients(found.election, Kind(found.kind)).filter(pk__gt=found.reached)
    return list(left[:BATCH])
