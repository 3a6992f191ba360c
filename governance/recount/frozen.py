"""Steps of a check: the files, and what was fixed before the vote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import rsa

from governance.recount import code, files
from governance.recount.bundle import SUMS, sums
from governance.recount.state import NotDoneError, State
from governance.recount.words import number, several
from governance.sealed import manifest as manifests
from governance.sealed.manifest import (
    CONFIDENTIAL,
    MODULUS,
    OFFICERS,
    SEALED,
    Contest,
    ManifestError,
)


def files_are_listed(state: State) -> str:
    """Every file is the one that SHA256SUMS names, and there is no other."""
    listed = state.text(SUMS)
    others = {name: data for name, data in state.files.items() if name != SUMS}
    if sums(others) != listed:
        state.faults += _unlike(listed, others) or [f"{SUMS} is not written in the one way"]
    for name in (code.PROGRAM, code.README, files.RESULT):
        if name not in others:
            state.faults.append(f"{name} is missing")
    theirs = {name: data for name, data in others.items() if name.startswith(code.FOLDER)}
    if theirs != code.modules():
        state.notes.append("The program in this bundle is not the one that runs now.")
    return f"{number(len(others), 'file')}, each as {SUMS} lists it"


def _unlike(listed: bytes, others: Mapping[str, bytes]) -> list[str]:
    known = {}
    for line in listed.decode(errors="replace").splitlines():
        value, _, name = line.partition("  ")
        known[name] = value
    missing = [f"{name} is missing" for name in sorted(known.keys() - others.keys())]
    added = [f"{name} does not belong here" for name in sorted(others.keys() - known.keys())]
    changed = [
        f"{name} is not the file that {SUMS} names: it was changed"
        for name in sorted(known.keys() & others.keys())
        if known[name] != sha256(others[name]).hexdigest()
    ]
    return [*missing, *added, *changed]


def manifest(state: State) -> str:
    text = state.text(files.MANIFEST)
    try:
        found = manifests.read(text)
    except ManifestError as error:
        raise NotDoneError(f"{files.MANIFEST}: {error}") from error
    if found.level not in {SEALED, CONFIDENTIAL}:
        raise NotDoneError(f"an election of the level {found.level!r} is not known")
    state.manifest = found
    known = {*files.OF_SEALED} if found.level == SEALED else {*files.OF_CONFIDENTIAL}
    others = {code.PROGRAM, code.README, files.RESULT, SUMS}
    state.faults += [f"{name} is missing" for name in sorted(known - state.files.keys())]
    state.faults += [
        f"{name} belongs to no bundle of this kind"
        for name in sorted(state.files.keys() - known - others)
        if not name.startswith(code.FOLDER)
    ]
    expected = found.code.get(code.NAME)
    theirs = {name: data for name, data in state.files.items() if name.startswith(code.FOLDER)}
    if expected and expected != code.digest(theirs):
        state.notes.append("The manifest names another version of the counting program.")
    voters = sum(len(contest.roll) for contest in found.contests)
    candidates = sum(len(contest.candidates) for contest in found.contests)
    return (
        f"{found.title} ({found.level}{', a rehearsal' if found.rehearsal else ''}), open from "
        f"{found.opens_at} to {found.closes_at}: {number(len(found.contests), 'contest')}, "
        f"{number(candidates, 'candidate')}, {number(voters, 'vote')} on the rolls; "
        f"SHA-256 {manifests.digest(text)}"
    )


def officers(state: State) -> str:
    """Each signed these very bytes."""
    found, text = state.the_manifest(), state.text(files.MANIFEST)
    signatures = state.reading(files.SIGNATURES, files.read_signatures)
    if len(found.officers) < OFFICERS:
        state.faults.append(f"{OFFICERS} officers have to sign; the manifest names fewer")
    if len({officer.key for officer in found.officers}) < len(found.officers):
        state.faults.append("two officers have the same key, so that one could sign for both")
    if len(signatures) != len(found.officers):
        state.faults.append(f"{len(found.officers)} officers, but {len(signatures)} signatures")
    for officer, signature in zip(found.officers, signatures, strict=False):
        if not manifests.is_signed(officer, text, signature):
            state.faults.append(f"{officer.name} did not sign this manifest")
    return f"{several([officer.name for officer in found.officers])} signed the manifest"


def registrars(state: State) -> str:
    """Each contest has a key of its own, so that a pseudonym of one is none of another."""
    found = state.the_manifest()
    keys = [contest.registrar_key for contest in found.contests]
    if len(set(keys)) < len(keys):
        state.faults.append("two contests have the same registrar's key")
    for contest in found.contests:
        state.faults += _key_faults(contest)
    return f"{number(len(keys), 'key')} of {MODULUS} bits, one for each contest"


def _key_faults(contest: Contest) -> Iterator[str]:
    try:
        key = contest.registrar
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, rsa.RSAPublicKey) or key.key_size != MODULUS:
        yield f"the registrar's key of {contest.id} is no RSA key of {MODULUS} bits"
