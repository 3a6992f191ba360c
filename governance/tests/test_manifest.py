"""A manifest is written in one way only, signed by two officers, and read with care."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from governance.sealed import manifest
from governance.sealed.manifest import Contest, Manifest, ManifestError
from governance.tests import sealed_election as made


def question(*, seats: int = 1, candidates: int = 2) -> Contest:
    found = made.contest(made.MEMBERS, seats=seats, candidates=candidates)
    return replace(found, method="yes-no")


@pytest.fixture(scope="module")
def private() -> made.Keys:
    return made.keys()


@pytest.fixture
def found(private: made.Keys) -> Manifest:
    return made.made(private)


def test_what_is_written_is_read_the_same(found: Manifest) -> None:
    assert manifest.read(manifest.write(found)) == found


def test_a_manifest_written_in_another_way_is_refused(found: Manifest) -> None:
    text = manifest.write(found).replace(b"\n ", b"\n  ", 1)
    with pytest.raises(ManifestError, match="one way"):
        manifest.read(text)


def test_half_of_a_pair_of_surrogates_is_refused(found: Manifest) -> None:
    text = manifest.write(found).replace(b"Election of", b"\\ud800lection of", 1)
    with pytest.raises(ManifestError, match="no manifest"):
        manifest.read(text)


def test_every_byte_counts_for_its_name(found: Manifest) -> None:
    text = manifest.write(found)
    assert manifest.digest(text) == sha256(text).hexdigest()


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"[" * 100_000, b'{"format": 1}'])
def test_garbage_is_refused(text: bytes) -> None:
    with pytest.raises(ManifestError):
        manifest.read(text)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": "another 1"}, "not known"),
        ({"contests": ()}, "contests"),
        ({"contests": (made.contest(made.MEMBERS), made.contest(made.MEMBERS))}, "own name"),
        ({"contests": (made.contest("2025-board/members"),)}, "own name"),
        ({"contests": (made.contest(made.MEMBERS, seats=0),)}, "seats"),
        ({"contests": (made.contest(made.MEMBERS, candidates=0),)}, "candidates"),
        ({"closes_at": "2026-11-01T12:00:00+00:00"}, "before it closes"),
        ({"opens_at": "soon"}, "before it closes"),
        ({"opens_at": "2026-11-01T12:00:00"}, "before it closes"),
        ({"contests": (question(seats=2),)}, "question"),
        ({"contests": (question(candidates=3),)}, "question"),
        ({"contests": (replace(question(), ratio=(2, 0)),)}, "ratio"),
        ({"contests": (replace(question(), ratio=(2,)),)}, "ratio"),
        ({"shares_needed": 4}, "shares"),
        ({"shares_needed": 0}, "shares"),
    ],
)
def test_what_cannot_be_is_refused(found: Manifest, change: dict[str, object], why: str) -> None:
    with pytest.raises(ManifestError, match=why):
        manifest.read(manifest.write(replace(found, **change)))  # type: ignore[arg-type]


def test_a_roll_with_a_gap_is_refused(found: Manifest) -> None:
    first, second = found.contests
    gap = replace(first, roll=first.roll[1:])
    with pytest.raises(ManifestError, match="numbered from 1"):
        manifest.read(manifest.write(replace(found, contests=(gap, second))))


def test_the_signatures_of_all_officers_are_asked(found: Manifest, private: made.Keys) -> None:
    text = manifest.write(found)
    signed = made.signatures(private, text)
    manifest.check_signatures(found, text, signed)
    with pytest.raises(ManifestError, match="each once"):
        manifest.check_signatures(found, text, signed[:1])
    with pytest.raises(ManifestError, match="Officer 1"):
        manifest.check_signatures(found, text, signed[::-1])


def test_a_signature_of_another_manifest_is_none_of_this(
    found: Manifest, private: made.Keys
) -> None:
    other = manifest.write(replace(found, title="Another election"))
    signed = made.signatures(private, other)
    with pytest.raises(ManifestError, match="Officer 1 did not sign"):
        manifest.check_signatures(found, manifest.write(found), signed)


def test_a_manifest_needs_two_officers(found: Manifest, private: made.Keys) -> None:
    alone = replace(found, officers=found.officers[:1])
    text = manifest.write(alone)
    with pytest.raises(ManifestError, match="2 officers"):
        manifest.check_signatures(alone, text, made.signatures(private, text)[:1])


@pytest.mark.parametrize("signature", [b"", bytes(64), b"\xff" * 64, bytes(63)])
def test_no_garbage_is_a_signature(found: Manifest, signature: bytes) -> None:
    assert not manifest.is_signed(found.officers[0], manifest.write(found), signature)


def test_envelopes_of_a_contest_hold_a_paper_of_all_candidates(found: Manifest) -> None:
    sizes = [made.contest(made.MEMBERS, candidates=n).size for n in (1, 29, 30, 250)]
    assert sizes == [32, 32, 64, 256]
    assert found.contests[0].size == 32
