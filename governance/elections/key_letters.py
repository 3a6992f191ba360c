"""Letters to those who hold keys of an election, promised when there is something to do."""

from collections.abc import Iterable

from governance.elections import ceremony_letters, letters
from governance.elections.readers import link, of, reader
from governance.models import Election, ElectionOfficer, RollEntry, Scrutineer
from portal.lib import outbox

KEYS = "keys/"


def named(
    election: Election, scrutineers: Iterable[Scrutineer], officers: Iterable[ElectionOfficer]
) -> None:
    """Make your key."""
    found = list(scrutineers)
    until, here = election.nominations_close_at, link(election, KEYS)
    outbox.enqueue_all(
        [
            ceremony_letters.make_key(
                reader(each.user),
                of(election),
                needed=election.shares_needed,
                shares=len(found),
                until=until,
                link=here,
            )
            for each in found
        ]
        + [
            ceremony_letters.make_officer_key(
                reader(each.user), of(election), until=until, link=here
            )
            for each in officers
        ]
    )


def dealt(election: Election) -> None:
    """Check your share."""
    outbox.enqueue_all(
        ceremony_letters.confirm_share(
            reader(each.user), of(election), until=election.opens_at, link=link(election, KEYS)
        )
        for each in election.scrutineers.select_related("user")
    )


def to_sign(election: Election) -> None:
    """Read the manifest and sign it."""
    outbox.enqueue_all(
        ceremony_letters.sign_manifest(
            reader(each.user),
            of(election),
            digest=election.manifest_sha256,
            opens=election.opens_at,
            link=link(election, KEYS),
        )
        for each in election.officers.select_related("user")
    )


def closed(election: Election) -> None:
    """Tell your share, tell your number."""
    until, here = election.complaints_close_at, link(election, KEYS)
    shares = [
        ceremony_letters.open_share(
            reader(each.user),
            of(election),
            needed=election.shares_needed,
            got=0,
            until=until,
            link=here,
        )
        for each in election.scrutineers.select_related("user")
    ]
    numbers = [
        ceremony_letters.tell_number(reader(each.user), of(election), until=until, link=here)
        for each in election.officers.select_related("user")
    ]
    outbox.enqueue_all([*shares, *numbers])


def voted(entry: RollEntry, election: Election) -> None:
    """A confidential vote was cast by your account; if it was not you, say so."""
    outbox.enqueue_all(
        [
            letters.vote_taken(
                reader(entry.voter),
                of(election),
                contest=f"{entry.contest}, {entry.name}",
                link=link(election),
            )
        ]
    )


def credential(entry: RollEntry, election: Election) -> None:
    """You were given the one credential; if it was not you, say so."""
    outbox.enqueue_all(
        [
            letters.credential_issued(
                reader(entry.voter),
                of(election),
                contest=f"{entry.contest}, {entry.name}",
                link=link(election),
            )
        ]
    )
