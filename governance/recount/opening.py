"""Steps of a check: the key of the election, the officers' numbers, and the votes."""

from __future__ import annotations

from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric import ec

from governance.recount import files, opened
from governance.recount.outcome import Votes
from governance.recount.state import NotDoneError, State
from governance.recount.words import number, short
from governance.sealed import sharing
from governance.sealed.ballot import BallotError, point_of
from governance.sealed.envelope import CURVE
from governance.sealed.manifest import SEALED
from governance.sealed.sharing import ORDER, ShareError
from governance.sealed.wire import to_text


def shares(state: State) -> str:
    """Each is the one that its scrutineer got, and together they make the key."""
    found = state.the_manifest()
    state.opening = state.reading(files.OPENING, files.read_opening)
    told = state.opening.shares
    sound = []
    for share in told:
        if share.place > len(found.scrutineers):
            state.faults.append(f"there is no scrutineer {share.place}")
            continue
        scrutineer = found.scrutineers[share.place - 1]
        if share.commitment == scrutineer.commitment:
            sound.append(share)
        else:
            state.faults.append(f"the share of {scrutineer.name} is not the one they were given")
    if len({share.place for share in told}) < len(told):
        state.faults.append("a share is there twice")
    commitments = [scrutineer.commitment for scrutineer in found.scrutineers]
    try:
        made = sharing.combine(sound, needed=found.shares_needed, commitments=commitments)
    except ShareError as error:
        raise NotDoneError(str(error)) from error
    if made != state.opening.election_key:
        state.faults.append("the shares do not make the election key that is in the bundle")
    return (
        f"{number(len(told), 'share')} of {len(found.scrutineers)} as they were given out, "
        f"{found.shares_needed} needed; they make the election key"
    )


def key(state: State) -> str:
    """It is the other half of the one that ballots were sealed to."""
    found = state.the_manifest()
    told = state.known(state.opening, "what was told after the close").election_key
    if not 0 < told < ORDER:
        raise NotDoneError("the election key is no private key")
    public = point_of(ec.derive_private_key(told, CURVE))
    if to_text(public) != found.election_key:
        raise NotDoneError("the election key does not belong to the one in the manifest")
    state.key = told
    return "the key is the private half of the one in the manifest"


def nonces(state: State) -> str:
    """Each officer told the number that the manifest has the hash of."""
    found = state.the_manifest()
    if state.opening is None:
        state.opening = state.reading(files.OPENING, files.read_opening)
    told = state.opening.nonces
    if found.level != SEALED and (state.opening.shares or state.opening.election_key):
        state.faults.append("nothing was sealed, and there is a key to open it")
    if len(told) != len(found.officers):
        state.faults.append(f"{len(found.officers)} officers, but {len(told)} numbers")
    for officer, nonce in zip(found.officers, told, strict=False):
        if sha256(nonce).hexdigest() != officer.nonce_sha256:
            state.faults.append(f"the number of {officer.name} is not the one in the manifest")
    return f"{number(len(told), 'number')}, those that the manifest has the hashes of"


def votes(state: State) -> str:
    """Of each voter the ballot with the highest number, opened."""
    found = state.the_manifest()
    cast = state.known(state.ballots, "the ballots")
    secret = state.known(state.key, "the election key")
    issued = state.issued or {}
    try:
        state.votes = opened.votes(found, cast, secret, issued=issued, workers=state.workers)
    except BallotError as error:
        raise NotDoneError(str(error)) from error
    replaced = sum(each.replaced for each in state.votes.values())
    said = f"{_told(state.votes)}; {number(replaced, 'ballot')} replaced by a later one"
    return said + _spoilt(state.votes)


def votes_of_sheet(state: State) -> str:
    found = state.the_manifest()
    lines = state.known(state.sheet, "the sheet")
    state.votes = opened.votes_of_sheet(found, lines, state.issued or {})
    return _told(state.votes) + _spoilt(state.votes)


def _told(found: dict[str, Votes]) -> str:
    papers = [paper for each in found.values() for paper in each.papers]
    spoilt = sum(len(each.spoilt) for each in found.values())
    return (
        f"{number(len(papers) + spoilt, 'vote')}: {len(papers) - papers.count(b''):,} that say "
        f"something, {papers.count(b''):,} blank, {spoilt:,} spoilt"
    )


def _spoilt(found: dict[str, Votes]) -> str:
    every = [one for each in found.values() for one in each.spoilt]
    return "".join(f"; spoilt: {short(one.ballot)} ({one.why})" for one in every)
