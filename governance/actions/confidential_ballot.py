"""Voting in a confidential election: the portal keeps the paper beside the voter until the count.

What is kept nowhere is the receipt key: the voter has it, and with it the name of their line.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.election import locked
from governance.elections import key_letters, signed
from governance.models import ConfidentialBallot, Credential, RollEntry
from governance.recount import receipts
from governance.refusals import NotAllowed, Refusal
from governance.sealed import line, paper
from governance.sealed.paper import PaperError
from portal.accounts.models import User
from portal.lib import audit


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the voter keeps. Nobody else has `drawn` and `words`."""

    election: str
    contest: str
    drawn: str
    words: str
    digest: str
    replaces: bool  # an earlier ballot

    def as_record(self) -> dict[str, str]:
        """As `recount.py --receipt` reads it."""
        return {
            "format": receipts.FORMAT,
            "election": self.election,
            "contest": self.contest,
            "portal": self.drawn,
            "words": self.words,
            "digest": self.digest,
        }


@transaction.atomic
def cast_confidential(
    *, actor: User, entry: RollEntry, vote: bytes, words: str, at: datetime | None = None
) -> Receipt:
    """Keep a vote, or another instead of it. `words` are the voter's own part of the receipt key.

    The lock of the election's row orders it before or after the close.
    """
    election = locked(entry.contest.election)
    entry = RollEntry.objects.standing().select_related("voter").get(pk=entry.pk)
    entry.contest.election = election
    _check(actor, entry, clock.now(at))
    words = words.strip()
    if not line.FEWEST <= len(words) <= line.MOST:
        raise Refusal(
            _("Write %(fewest)s letters or more of your own, whatever comes to mind.")
            % {"fewest": line.FEWEST}
        )
    drawn = secrets.token_bytes(line.DRAWN)
    digest = line.name_of(line.key_of(drawn, words), election.name)
    _row, is_first = ConfidentialBallot.objects.update_or_create(
        entry=entry, defaults={"paper": _read(entry, vote), "digest": digest}
    )
    _note_voted(entry, actor)
    contest = entry.contest.id_on_the_board
    return Receipt(election.name, contest, drawn.hex(), words, digest, replaces=not is_first)


def _check(actor: User, entry: RollEntry, at: datetime) -> None:
    election = entry.contest.election
    if entry.voter_id != actor.pk or entry.number is None:
        raise NotAllowed(_("This vote is not yours."))
    if election.is_sealed or not election.takes_votes(at):
        raise Refusal(_("Voting is not open."))


def _read(entry: RollEntry, vote: bytes) -> bytes:
    """The paper, if it can be counted: nothing spoilt is taken."""
    try:
        return signed.contest_of(entry.contest).read_paper(paper.write(vote))
    except PaperError as error:
        raise Refusal(_("This ballot cannot be counted. Fill it in again.")) from error


def _note_voted(entry: RollEntry, actor: User) -> None:
    """That the person took part, once: a letter says so, should it have been somebody else."""
    _row, is_new = Credential.objects.get_or_create(entry=entry)
    if is_new:
        key_letters.voted(entry, entry.contest.election)
        audit.record(actor=actor, verb="ballot.cast", subject=entry)
