"""Sealed ballots against who forges, alters, copies or brings them from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from governance.sealed import blind
from governance.sealed.ballot import (
    Ballot,
    BallotError,
    Pseudonym,
    bound_to,
    cast,
    check,
    point_of,
    standing,
    voter_message,
)
from governance.sealed.envelope import CURVE, EnvelopeError, open_envelope, overhead, seal

CONTEST = b"2026-council/contributors"
OTHER = b"2026-council/members"
SIZE = 64
ELECTION = ec.generate_private_key(CURVE)


@cache
def registrar() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 3072)


Voter = tuple[ec.EllipticCurvePrivateKey, Pseudonym]


def voter(contest: bytes = CONTEST) -> Voter:
    """A key pair and the pseudonym that the registrar signed without seeing it."""
    key = ec.generate_private_key(CURVE)
    public = registrar().public_key()
    prepared = blind.prepare(voter_message(contest, point_of(key)))
    blinded, inverse = blind.blind(public, prepared)
    signature = blind.finalize(public, prepared, blind.sign(registrar(), blinded), inverse)
    return key, Pseudonym(point_of(key), prepared[: blind.PREFIX], signature)


def envelope(pseudonym: Pseudonym, text: bytes = b"1 2 3") -> bytes:
    bound = bound_to(CONTEST, pseudonym.point)
    return seal(text, to=ELECTION.public_key(), bound=bound, size=SIZE)


def ballot(sequence: int = 1, text: bytes = b"1 2 3", who: Voter | None = None) -> Ballot:
    key, pseudonym = who or voter()
    sealed = envelope(pseudonym, text)
    return cast(CONTEST, key=key, pseudonym=pseudonym, sequence=sequence, envelope=sealed)


def opened(found: Ballot) -> bytes:
    bound = bound_to(CONTEST, found.pseudonym.point)
    return open_envelope(found.envelope, key=ELECTION, bound=bound)


def refused(found: Ballot, contest: bytes = CONTEST) -> str:
    with pytest.raises(BallotError) as caught:
        check(found, contest=contest, registrar=registrar().public_key(), size=SIZE)
    return str(caught.value)


def test_a_ballot_passes_and_is_read_once_the_election_key_is_there() -> None:
    found = ballot()
    check(found, contest=CONTEST, registrar=registrar().public_key(), size=SIZE)
    assert opened(found) == b"1 2 3"


def test_a_pseudonym_that_nobody_signed_is_refused() -> None:
    key = ec.generate_private_key(CURVE)
    for signature in (bytes(384), b"", voter()[1].signature):
        forged = Pseudonym(point_of(key), bytes(32), signature)
        assert refused(ballot(who=(key, forged))) == "the registrar did not sign this pseudonym"


def test_a_ballot_of_another_contest_is_refused_there_and_here() -> None:
    assert refused(ballot(), OTHER) == "the ballot is of another contest"
    key, pseudonym = voter(OTHER)
    foreign = cast(CONTEST, key=key, pseudonym=pseudonym, sequence=1, envelope=envelope(pseudonym))
    assert refused(foreign) == "the registrar did not sign this pseudonym"


ALTERED: dict[str, Callable[[Ballot], Ballot]] = {
    "another envelope": lambda one: replace(one, envelope=envelope(one.pseudonym, b"3 2 1")),
    "a later sequence": lambda one: replace(one, sequence=one.sequence + 1),
    "another signature": lambda one: replace(one, signature=bytes(64)),
    "no signature": lambda one: replace(one, signature=b""),
    "a short signature": lambda one: replace(one, signature=one.signature[1:]),
    "sequence 0": lambda one: replace(one, sequence=0),
    "a huge sequence": lambda one: replace(one, sequence=2**31),
    "a longer envelope": lambda one: replace(one, envelope=one.envelope + b"x"),
    "another prefix": lambda one: replace(one, pseudonym=replace(one.pseudonym, prefix=bytes(32))),
    "a short prefix": lambda one: replace(one, pseudonym=replace(one.pseudonym, prefix=b"")),
    "a point off the curve": lambda one: replace(
        one, pseudonym=replace(one.pseudonym, point=b"\x04" + bytes(64))
    ),
    "a short point": lambda one: replace(one, pseudonym=replace(one.pseudonym, point=b"\x04")),
}


@pytest.mark.parametrize("change", ALTERED)
def test_an_altered_ballot_is_refused(change: str) -> None:
    assert refused(ALTERED[change](ballot()))


def test_every_flipped_byte_of_what_is_signed_is_found() -> None:
    found = ballot()
    for place in range(0, SIZE + overhead(), 7):
        flipped = bytearray(found.envelope)
        flipped[place] ^= 1
        assert refused(replace(found, envelope=bytes(flipped)))


def test_who_copies_the_envelope_of_another_has_cast_nothing() -> None:
    """Else one could vote as somebody does, and see in the count how that was."""
    key, pseudonym = voter()
    copied = cast(CONTEST, key=key, pseudonym=pseudonym, sequence=1, envelope=ballot().envelope)
    check(copied, contest=CONTEST, registrar=registrar().public_key(), size=SIZE)
    with pytest.raises(EnvelopeError):
        opened(copied)


def test_the_last_ballot_of_each_pseudonym_stands() -> None:
    first, second = voter(), voter()
    cast_ones = [ballot(1, b"old", first), ballot(2, b"new", first), ballot(1, b"one", second)]
    for order in (cast_ones, cast_ones[::-1], cast_ones * 2):
        texts = [opened(one) for one in standing(order)]
        assert sorted(texts) == [b"new", b"one"]
        assert [one.digest for one in standing(order)] == sorted(o.digest for o in standing(order))


def test_two_ballots_of_one_sequence_are_a_fault_of_the_box() -> None:
    who = voter()
    with pytest.raises(BallotError, match="two ballots of one pseudonym have sequence 1"):
        standing([ballot(1, b"a", who), ballot(1, b"b", who)])


def test_the_other_way_to_write_a_signature_makes_no_other_ballot() -> None:
    found = ballot()
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    mirrored = order - int.from_bytes(found.signature[32:])
    other = replace(found, signature=found.signature[:32] + mirrored.to_bytes(32))
    check(other, contest=CONTEST, registrar=registrar().public_key(), size=SIZE)
    assert other.digest == found.digest
    assert len(standing([found, other])) == 1
