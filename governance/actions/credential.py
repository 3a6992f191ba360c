"""The one signature that lets a voter's pseudonym vote: given by the registrar, told by a letter.

The registrar's own store is the truth: whoever dies between it and the row here is caught up with
by the sweep, and who asks again with the same is answered the same.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.sweep import sweep
from governance.elections import key_letters
from governance.models import Credential, Election, RollEntry
from governance.refusals import NotAllowed, Refusal
from governance.registrar.client import Registrar, RegistrarRefusedError
from portal.accounts.models import User
from portal.lib import audit


class TakenError(Refusal):
    """The voter's one signature was given, for something else."""


def issue_credential(
    *,
    actor: User,
    entry: RollEntry,
    blinded: bytes,
    registrar: Registrar,
    at: datetime | None = None,
) -> bytes:
    """The blind signature for the voter of this entry. The same asked again is answered the same.

    Raises TakenError where another value was signed before.
    """
    election = entry.contest.election
    if entry.voter_id != actor.pk or entry.number is None:
        raise NotAllowed(_("This vote is not yours."))
    if not election.takes_votes(clock.now(at)):
        raise Refusal(_("Voting is not open."))
    try:
        signature = registrar.sign(entry.contest.id_on_the_board, entry.number, blinded)
    except RegistrarRefusedError as refused:
        if refused.code == "taken":
            raise TakenError(
                _(
                    "Your credential was given out already, to another browser or recovery file. "
                    "Vote with that one: there is no second."
                )
            ) from refused
        raise Refusal(_("The registrar refused: %(why)s") % {"why": refused}) from refused
    note_issued(entry, actor=actor)
    return signature


@transaction.atomic
def note_issued(entry: RollEntry, *, actor: User | None = None) -> bool:
    """That the voter has it: the public list of who took part, and a letter; whether it is new."""
    _row, is_new = Credential.objects.get_or_create(entry=entry)
    if is_new:
        key_letters.credential(entry, entry.contest.election)
        audit.record(actor=actor, verb="credential.issued", subject=entry)
    return is_new


def note_all_issued(*, registrar: Registrar, at: datetime | None = None) -> int:
    """Catch up with what the registrar gave out and nobody wrote down here; how many."""
    moment = clock.now(at)
    running = Election.objects.filter(
        state=Election.State.FROZEN, opens_at__lte=moment, level=Election.Level.SEALED
    )
    return sweep(list(running.values_list("pk", flat=True)), lambda pk: _note_of(pk, registrar) > 0)


def _note_of(election_id: int, registrar: Registrar) -> int:
    found = 0
    for contest in Election.objects.get(pk=election_id).contests.all():
        numbers = registrar.issued(contest.id_on_the_board)
        entries = RollEntry.objects.filter(contest=contest, number__in=numbers, credential=None)
        found += sum(note_issued(entry) for entry in entries)
    return found
