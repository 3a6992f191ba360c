"""Writing to many about an election: rounds that a sweep goes through in batches."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from governance import clock
from governance.actions.election import begin_round, locked
from governance.actions.rounds import go_through
from governance.actions.sweep import sweep
from governance.elections import enfranchised, round_letters, rounds_due
from governance.models import Candidacy, Election, ElectionRound, RollEntry
from portal.accounts.models import User
from portal.lib import outbox

BATCH = 200  # rows in a transaction
BATCHES = 20  # in one run of the sweep
Kind = ElectionRound.Kind


def begin_due(*, at: datetime | None = None) -> int:
    """Begin the rounds of letters whose time has come; in how many elections one began."""
    moment = clock.now(at)
    elections = Election.objects.nominating(moment) | Election.objects.voting(moment)
    return sweep(list(elections.values_list("pk", flat=True)), lambda pk: _begin(pk, at))


def _begin(election_id: int, at: datetime | None) -> bool:
    """Each once, however often it is swept."""
    election = locked(Election(pk=election_id))
    moment = clock.now(at)
    begun = set(election.rounds.values_list("kind", flat=True))
    due = rounds_due.due(election, begun, moment)
    for kind in due:
        begin_round(election, kind, moment)
    return bool(due)


def promise_due(*, batches: int = BATCHES) -> int:
    """Promise what is due of every round; of how many rows. What fails waits for the next."""
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
    rows = [] if rounds_due.is_late(kind, found.election, moment) else _next(found)
    if rows:
        outbox.enqueue_all(round_letters.of_kind(kind, found.election, rows))
        found.reached = rows[-1].pk
    if len(rows) < BATCH:
        found.done_at = moment
    found.save(update_fields=["reached", "done_at"])
    return len(rows)


def recipients(found: ElectionRound) -> QuerySet[Any]:
    """Whom the letter concerns, as rows with keys: accounts, candidacies, entries of rolls."""
    election, kind = found.election, Kind(found.kind)
    if kind == Kind.NOMINATIONS:
        return User.objects.filter(pk__in=_invited_by(found)).order_by("pk")
    if rounds_due.goes_to_the_invited(kind, election):
        return _invited(election)
    if kind == Kind.SECONDS:
        lacking = Candidacy.objects.filter(contest__election=election).unseconded()
        return lacking.select_related("contest", "user")
    return _voters(election, kind)


def _invited(election: Election) -> QuerySet[User]:
    """While it had no roll: whom the letter about nominations reached, and who was put forward."""
    told = election.rounds.filter(kind=Kind.NOMINATIONS).first()
    people = _invited_by(told) if told else set()
    put_forward = Candidacy.objects.filter(contest__election=election, left_at=None)
    people |= set(put_forward.values_list("user", flat=True))
    return User.objects.filter(pk__in=people).order_by("pk")


def _invited_by(found: ElectionRound) -> set[int]:
    """Who might nominate when this round began: asked of the register once, for all its batches."""
    if found.people is None:
        found.people = sorted(enfranchised.may_nominate(found.election, found.begun_at))
        found.save(update_fields=["people"])
    return set(found.people)


def _voters(election: Election, kind: Kind) -> QuerySet[RollEntry]:
    """A reminder is for those who have no credential yet; that it closes, for those who have."""
    entries = RollEntry.objects.standing().filter(contest__election=election)
    missing = entries.filter(credential=None)
    if kind in {Kind.REMINDER, Kind.LAST_CALL}:
        entries = missing
    elif kind == Kind.CLOSING:
        entries = entries.exclude(voter__in=missing.values("voter"))
    return entries.select_related("contest__election", "voter").order_by("pk")


def _next(found: ElectionRound) -> list[Any]:
    return list(recipients(found).filter(pk__gt=found.reached)[:BATCH])
