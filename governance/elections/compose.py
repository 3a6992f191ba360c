"""The manifest of an election from its rows: what two officers sign, and everybody can check."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from governance.elections import code, options, rules_in_words
from governance.models import Contest, Election, RollEntry
from governance.sealed import manifest
from governance.sealed.manifest import Candidate, Manifest, Officer, Scrutineer, Voter
from governance.sealed.wire import to_text
from governance.tally import contest as counting


@dataclass(frozen=True, slots=True)
class OfficeKeys:
    """Public keys of the processes that keep the secrets; empty where ballots are not sealed."""

    box: bytes = b""
    registrar: Mapping[str, bytes] | None = None  # by the contest's name on the board, as DER


def manifest_of(election: Election, keys: OfficeKeys) -> Manifest:
    """What is fixed. The rolls and the candidates have their numbers already."""
    return Manifest(
        format=manifest.FORMAT,
        election=election.name,
        title=election.title,
        body=election.body.name,
        level=election.level,
        rehearsal=election.is_rehearsal,
        opens_at=_moment(election.opens_at),
        closes_at=_moment(election.closes_at),
        rules=tuple(rules_in_words.of_election(election)),
        procedure=counting.PROCEDURE,
        contests=tuple(_contest(each, keys) for each in election.contests.all()),
        election_key=election.election_key,
        shares_needed=election.shares_needed if election.is_sealed else 0,
        scrutineers=tuple(
            Scrutineer(each.name, each.commitment)
            for each in (election.scrutineers.order_by("place") if election.is_sealed else [])
        ),
        box_key=to_text(keys.box),
        officers=tuple(
            Officer(each.name, each.key, each.nonce_sha256)
            for each in election.officers.order_by("place")
        ),
        code=code.digests(),
    )


def _contest(contest: Contest, keys: OfficeKeys) -> manifest.Contest:
    voters = RollEntry.objects.filter(contest=contest, number__isnull=False).order_by("number")
    roll = tuple(Voter(each.number or 0, each.name, each.voter_name) for each in voters)
    name = contest.id_on_the_board
    return manifest.Contest(
        id=name,
        title=str(contest.title),
        method=contest.method,
        seats=contest.places,
        most_of_one_affiliation=contest.most_of_one_affiliation,
        quorum=contest.quorum(len(roll)),
        candidates=tuple(
            Candidate(each.name, each.affiliation, _digest(each.statement))
            for each in options.on_the_ballot(contest)
        ),
        roll=roll,
        registrar_key=to_text((keys.registrar or {}).get(name, b"")),
        ratio=(contest.ratio_yes, contest.ratio_no),
    )


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
