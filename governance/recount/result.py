"""result.json: the outcome as a document, written in one way only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, cast

from governance.bundle import chain, plain
from governance.recount.outcome import ContestOutcome, Count, Outcome, Spoilt
from governance.recount.parts import Left
from governance.tally import marks, question, schulze
from governance.tally.contest import METHODS, Round
from governance.tally.stages import Tally

FORMAT: Final = "foundation-portal result 1"
Document = dict[str, Any]
_TALLIES: Final[dict[str, type]] = {
    **dict.fromkeys(METHODS, Tally),
    schulze.METHOD: schulze.Comparison,
    question.METHOD: question.Answer,
    **dict.fromkeys(marks.METHODS, marks.Marks),
}


class ResultError(ValueError):
    """What is no result; the message says why."""


def document(found: Outcome) -> Document:
    """Every number of the outcome, and what follows from them for a reader's sake."""
    contests = [
        plain.dump(each) | {"has_quorum": each.has_quorum, "elected": list(each.elected)}
        for each in found.contests
    ]
    return {**plain.dump(found), "format": FORMAT, "contests": contests}


def write(found: Outcome) -> bytes:
    return chain.canonical(document(found))


def read(text: bytes) -> Outcome:
    """Raises ResultError for what `write` would not have written."""
    try:
        found = _outcome(json.loads(text))
        written = write(found)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ResultError(f"this is no result: {error!r}") from error
    if written != text:
        raise ResultError("the result is not written in the one way")
    return found


def differences(ours: Any, theirs: Any, at: str = "") -> Iterator[str]:
    """Where two documents differ: the path of each field, and both values."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in sorted({*ours, *theirs}):
            path = f"{at}.{name}" if at else name
            if name not in theirs:
                yield f"{path} is missing"
            elif name not in ours:
                yield f"{path} is there, which does not belong there"
            else:
                yield from differences(ours[name], theirs[name], path)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for place, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from differences(mine, other, f"{at}[{place}]")
    elif type(ours) is not type(theirs) or ours != theirs:
        yield f"{at} says {_short(theirs)}; the recount says {_short(ours)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _outcome(found: Document) -> Outcome:
    if found.pop("format") != FORMAT:
        raise ValueError("a result of this format is not known")
    return Outcome(
        election=plain.load(str, found["election"]),
        seed=plain.load(str, found["seed"]),
        left=plain.load(tuple[Left, ...], found["left"]),
        contests=tuple(_contest(each) for each in found["contests"]),
        inputs=plain.load(dict[str, str], found["inputs"]),
    )


def _contest(found: Document) -> ContestOutcome:
    del found["has_quorum"], found["elected"]
    counts = {
        "everybody": _count(found.pop("everybody")),
        "without": _count(found.pop("without")),
        "spoilt": plain.load(tuple[Spoilt, ...], found.pop("spoilt")),
        "left": plain.load(tuple[int, ...], found.pop("left")),
    }
    texts = {"contest": plain.load(str, found.pop("contest"))}
    return ContestOutcome(
        **counts, **texts, **{name: plain.load(int, value) for name, value in found.items()}
    )


def _count(found: Document | None) -> Count:
    if found is None:
        return cast(Count, None)
    places = {name: plain.load(tuple[int, ...], found[name]) for name in _PLACES}
    return Count(rounds=tuple(_round(each) for each in found["rounds"]), **places)


_PLACES: Final = ("seated", "elected", "runners_up")


def _round(found: Document) -> Round:
    kind = _TALLIES[found["tally"]["method"]]
    left = plain.load(tuple[int, ...], found["left"])
    return Round(left, plain.load(kind, found["tally"]))
