"""Steps of a check: the count, and whether it is what was published."""

from __future__ import annotations

import json
from collections.abc import Sequence

from governance.recount import bundle, files, result
from governance.recount.files import FileError
from governance.recount.outcome import ContestOutcome, outcome
from governance.recount.parts import DISQUALIFIED, WITHDREW, seed
from governance.recount.result import ResultError
from governance.recount.state import NotDoneError, State
from governance.recount.words import number, several
from governance.sealed.manifest import Contest
from governance.sealed.wire import WireError


def left(state: State) -> str:
    """Candidates who left after the manifest was signed."""
    found = state.the_manifest()
    told = state.reading(files.LEFT, files.read_left)
    for one in told:
        if one.how not in {WITHDREW, DISQUALIFIED}:
            state.faults.append(f"{files.LEFT}: somebody left, and how is not known: {one.how!r}")
    state.left = told
    names = []
    contests = {contest.id: contest for contest in found.contests}
    for one in told:
        standing = contests[one.contest].candidates if one.contest in contests else ()
        name = standing[one.candidate].name if 0 <= one.candidate < len(standing) else "nobody"
        was = "withdrew" if one.how == WITHDREW else "was disqualified"
        names.append(f"{name} {was} on {one.on}")
    return "; ".join(names) or "nobody left"


def count(state: State) -> str:
    """Who is elected, contest by contest."""
    found = state.the_manifest()
    votes = state.known(state.votes, "the votes")
    told = state.known(state.opening, "what was told after the close")
    gone = state.known(state.left, "who left")
    try:
        anchor = bundle.anchor(found, state.files)
        state.outcome = outcome(
            found,
            votes,
            left=gone,
            seed=seed(anchor, told.nonces),
            inputs=files.inputs(state.files),
        )
    except (FileError, WireError) as error:
        raise NotDoneError(f"the lots cannot be drawn: {error}") from error
    except (ValueError, KeyError) as error:
        raise NotDoneError(f"it cannot be counted: {error}") from error
    return "; ".join(
        said(contest, each)
        for contest, each in zip(found.contests, state.outcome.contests, strict=True)
    )


def said(contest: Contest, found: ContestOutcome) -> str:
    """The outcome of a contest in one sentence."""
    turnout = f"{found.took_part:,} of {found.roll:,} voted"
    if not found.has_quorum:
        return f"{contest.title}: no quorum ({turnout}, {found.quorum:,} were needed)"
    return f"{contest.title}: {_names(contest, found.elected)} elected ({turnout})"


def _names(contest: Contest, places: Sequence[int]) -> str:
    return several([contest.candidates[one].name for one in places]) or "nobody"


def published(state: State) -> str:
    """What the portal says is what was counted here, field by field."""
    text = state.text(files.RESULT)
    ours = state.known(state.outcome, "a count to compare with")
    if text == result.write(ours):
        fields = number(_fields(result.document(ours)), "field")
        return f"the published result is what was counted here, in all {fields}"
    try:
        theirs = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotDoneError(f"{files.RESULT}: this is no JSON: {error}") from error
    state.faults += [
        f"{files.RESULT}: {fault}" for fault in result.differences(result.document(ours), theirs)
    ]
    try:
        result.read(text)
    except ResultError as error:
        if not state.faults:
            state.faults.append(f"{files.RESULT}: {error}")
    return "compared with what was published"


def _fields(found: object) -> int:
    if isinstance(found, dict):
        return sum(_fields(each) for each in found.values())
    if isinstance(found, list):
        return sum(_fields(each) for each in found)
    return 1
