"""Counting an election when its shares and numbers are told: once, from what its board holds; a
confidential one from its ballots, whose voters are forgotten then.

Everything goes into one bundle, from which anybody counts again. To ask box and registrar and to
count takes its time, so that no row is locked meanwhile; who is killed leaves nothing.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256

from django.db import transaction

from governance import clock
from governance.actions.election import begin_round, locked
from governance.actions.freezing import signatures
from governance.actions.share import share_of
from governance.actions.sweep import sweep
from governance.box.client import BallotBox
from governance.elections import dispute_letters, gathering, nomination_letters, readers, sheet
from governance.models import (
    Candidacy,
    ConfidentialBallot,
    Election,
    ElectionCount,
    ElectionRound,
)
from governance.recount import bundle, result
from governance.recount.check import check
from governance.recount.parts import Left, Line, Opening, Parts
from governance.registrar.client import Registrar
from governance.sealed import sharing
from portal.lib import audit, outbox

logger = logging.getLogger(__name__)


class UnsoundCountError(Exception):
    """What box and registrar handed over does not agree with what was signed. Nothing is published:
    the message names each fault, for those who run the election.
    """


def count_due(*, registrar: Registrar, box: BallotBox, at: datetime | None = None) -> int:
    """Count what is closed and opened; how many."""
    closed = Election.objects.filter(state=Election.State.CLOSED)
    due = [each.pk for each in closed if gathering.is_opened(each)]
    return sweep(due, lambda pk: _count_or_tell(pk, registrar=registrar, box=box, at=at))


def _count_or_tell(
    election_id: int, *, registrar: Registrar, box: BallotBox, at: datetime | None
) -> bool:
    """Whether it is counted; what is unsound is told to who has to look into it."""
    try:
        return count_election(election_id, registrar=registrar, box=box, at=at)
    except (UnsoundCountError, ValueError) as error:
        note_unsound(election_id, fault=str(error))
        return False


@transaction.atomic
def note_unsound(election_id: int, *, fault: str) -> None:
    """Keep why nothing is published, for those who run it and for the operator; one letter for each
    fault, however often the sweep finds it again.
    """
    election = locked(Election(pk=election_id))
    if election.count_fault == fault or election.state != Election.State.CLOSED:
        return
    logger.error("election %s is not counted: %s", election.name, fault)
    election.count_fault = fault
    election.save(update_fields=["count_fault"])
    outbox.enqueue_all([_told_of_fault(election)])
    audit.record(actor=None, verb="election.unsound", subject=election, fault=fault)


def _told_of_fault(election: Election) -> outbox.Letter:
    """To who prepared it."""
    return dispute_letters.count_unsound(
        readers.reader(election.created_by),
        readers.of(election),
        fault=election.count_fault,
        link=readers.link(election),
    )


def count_election(
    election_id: int, *, registrar: Registrar, box: BallotBox, at: datetime | None = None
) -> bool:
    """Whether this call counted it."""
    election = Election.objects.get(pk=election_id)
    if not election.is_sealed:
        voted, lines = sheet.who_voted(election), sheet.of_ballots(election)
        return count_parts(election, voted, lines=lines, at=at)
    names = [contest.id_on_the_board for contest in election.contests.all()]
    issued = {name: registrar.issued(name) for name in names}
    return count_parts(
        election, issued, box.blocks(election.name), box.ballots(election.name), at=at
    )


def count_parts(
    election: Election,
    issued: Mapping[str, Sequence[int]],
    blocks: Sequence[bytes] = (),
    ballots: Sequence[bytes] = (),
    *,
    lines: Sequence[Line] = (),
    at: datetime | None = None,
) -> bool:
    """Count what registrar and box told: numbers by contest, and lines; of a confidential election
    who voted, and the sheet. Whether this call did.
    """
    parts = Parts(
        manifest=election.manifest.encode(),
        signatures=tuple(signatures(election)),
        issued=issued,
        opening=_opening(election),
        left=tuple(_left(election)),
        blocks=tuple(blocks),
        ballots=tuple(ballots),
        sheet=tuple(lines),
    )
    counted = bundle.count(parts)
    packed = bundle.write(parts, counted)
    report = check(bundle.unpack(packed))  # as anybody will
    if report.faults:
        raise UnsoundCountError("; ".join(report.faults))
    found = {
        contest: dict(Counter(paper.hex() for paper in votes.papers))
        for contest, votes in report.votes.items()
    }
    row = ElectionCount(
        election=election,
        result=result.document(counted),
        papers=found,
        bundle=packed,
        bundle_sha256=sha256(packed).hexdigest(),
    )
    return _write(row, at)


@transaction.atomic
def _write(row: ElectionCount, at: datetime | None) -> bool:
    election = locked(Election(pk=row.election_id))
    moment = clock.now(at)
    if election.state != Election.State.CLOSED:
        return False
    row.counted_at = moment
    row.save(force_insert=True)
    ConfidentialBallot.objects.of(election).delete()
    election.state, election.counted_at = Election.State.COUNTED, moment
    election.count_fault = ""
    election.save(update_fields=["state", "counted_at", "count_fault"])
    begin_round(election, ElectionRound.Kind.RESULT, moment)
    if not election.is_rehearsal:
        outbox.enqueue_all(nomination_letters.elected(election))
    audit.record(
        actor=None, verb="election.counted", subject=election, bundle_sha256=row.bundle_sha256
    )
    return True


def _opening(election: Election) -> Opening:
    nonces = tuple(bytes.fromhex(each.nonce) for each in election.officers.order_by("place"))
    if not election.is_sealed:
        return Opening(shares=(), election_key=0, nonces=nonces)
    told = election.scrutineers.exclude(opened_at=None).order_by("place")
    shares = tuple(share_of(each.place, each.share, each.salt) for each in told)
    commitments = [each.commitment for each in election.scrutineers.order_by("place")]
    key = sharing.combine(shares, needed=election.shares_needed, commitments=commitments)
    return Opening(shares=shares, election_key=key, nonces=nonces)


def _left(election: Election) -> list[Left]:
    """Who stood on the ballot and left before the count."""
    gone = Candidacy.objects.filter(contest__election=election, left_at__isnull=False)
    return [
        Left(
            contest=each.contest.id_on_the_board,
            candidate=each.number or 0,
            how=each.leaving,
            on=each.left_at.date().isoformat() if each.left_at else "",
            reason=each.leaving_reason,
        )
        for each in gone.on_the_ballot().select_related("contest__election")
    ]
