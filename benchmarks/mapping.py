"""Which part of a name in a file is connector, version, case or parameter. Pure.

Names are split at spaces, slashes, brackets, commas, colons and equal signs; those of one file
with the same number of parts are mapped alike. What a mapping does not say stays where it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from benchmarks.documents import Document, Measured
from benchmarks.readers.names import slug
from benchmarks.suites import PARAMETERS

CONNECTOR, VERSION, CASE, NOTHING = "connector", "version", "case", "_"
ROLES: Final = (NOTHING, CONNECTOR, VERSION, CASE, *PARAMETERS)
ALSO: Final[Mapping[str, Mapping[str, str]]] = {  # other words for values of the vocabulary
    "transport": {"socket": "unix", "unix_socket": "unix", "tcp/ip": "tcp", "named_pipe": "pipe"},
    "prepare": {"prepared": "server", "unprepared": "none", "text": "none"},
}
MOST_PARTS: Final = 12
_SPLIT: Final = re.compile(r"[\s/\[\](){},:;=|]+")
SAID: Final = 12  # cases of one remark

Roles = Mapping[int, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Shape:
    """Names of one number of parts: an example, and how many there are."""

    parts: tuple[str, ...]
    count: int


def parts(name: str) -> tuple[str, ...]:
    """
    >>> parts("PyMySQL/do_1[tcp]")
    ('PyMySQL', 'do_1', 'tcp')
    """
    return tuple(part for part in _SPLIT.split(name) if part)


def shapes(document: Document) -> dict[int, Shape]:
    """The shapes of the names of a file, by their number of parts."""
    found: dict[int, Shape] = {}
    for one in document.results:
        split = parts(one.name)
        if 1 < len(split) <= MOST_PARTS:
            before = found.get(len(split))
            found[len(split)] = Shape(
                before.parts if before else split, before.count + 1 if before else 1
            )
    return dict(sorted(found.items()))


def applied(document: Document, roles: Roles) -> Document:
    """The document with its names taken apart as ``roles`` say; what fits none is remarked."""
    if not any(_says(words) for words in roles.values()):
        return document
    results, left = [], 0
    for one in document.results:
        words = roles.get(len(parts(one.name)), ())
        if _says(words):
            results.append(_applied(one, words))
        else:
            results.append(one)
            left += bool(one.name)
    remarks = list(document.remarks)
    if left:
        remarks.append(f"{left} names have parts that no mapping was said for; kept as they were.")
    return replace(document, results=results, remarks=remarks)


def placed(document: Document, cases: Sequence[str], roles: Roles) -> Document:
    """Cases of the suite recognised in names that are written otherwise: "Do1.run" is `do_1`.

    Only where the name holds exactly one case of the suite, word by word, and nobody has said which
    part is the case; and it is remarked.
    """
    known = {_plain(case): case for case in cases}
    results, taken = [], dict[str, str]()
    for one in document.results:
        is_said = CASE in roles.get(len(parts(one.name)), ())
        case = one.case if one.case in cases else known.get(_plain(one.case), "")
        if not case and not is_said:
            case = _case_in(one, known)
        if case and case != one.case:
            taken[one.case] = case
            one = replace(one, case=case)  # noqa: PLW2901
        results.append(one)
    if not taken:
        return document
    pairs = [f"“{theirs}” as {ours}" for theirs, ours in taken.items()]
    remark = f"Cases of the suite were recognised in names: {', '.join(pairs[:SAID])}."
    return replace(document, results=results, remarks=[*document.remarks, remark])


def _case_in(one: Measured, known: Mapping[str, str]) -> str:
    """The one case that a name speaks of; empty for none, and for more than one."""
    words = [_plain(word) for word in re.split(r"[^A-Za-z0-9_-]+", one.name)]
    pairs = [first + second for first, second in pairwise(words)]
    found = {known[word] for word in (*words, *pairs) if word in known}
    return found.pop() if len(found) == 1 else ""


def _plain(name: str) -> str:
    """Lower case letters and digits alone, without the word that test functions begin with."""
    return re.sub(r"[^a-z0-9]", "", re.sub(r"^(test|bench|benchmark)_", "", name.lower()))


def unmapped(document: Document, cases: Sequence[str]) -> list[str]:
    """What the portal cannot place: cases that the suite has not, parameters without a meaning."""
    found = []
    strange = sorted({one.case for one in document.results} - set(cases))
    if cases and strange:
        found.append(f"Cases that the suite does not define: {', '.join(strange[:20])}")
    names = sorted({name for one in document.results for name in one.params} - set(PARAMETERS))
    if names:
        found.append(f"Parameters that are kept but mean nothing here: {', '.join(names[:20])}")
    values = sorted(
        {
            f"{name}={value}"
            for one in document.results
            for name, value in one.params.items()
            if (allowed := PARAMETERS.get(name)) and value not in allowed
        }
    )
    if values:
        found.append(f"Values that are not known: {', '.join(values[:20])}")
    return found


def _says(words: Sequence[str]) -> bool:
    return any(word != NOTHING for word in words)


def _applied(one: Measured, words: Sequence[str]) -> Measured:
    said: dict[str, list[str]] = {}
    for part, role in zip(parts(one.name), words, strict=True):
        said.setdefault(role, []).append(part)
    rest = said.pop(NOTHING, [])
    joined = {role: " ".join(found) for role, found in said.items()}
    params: dict[str, Any] = dict(one.params)
    params.update(
        {
            role: ALSO.get(role, {}).get(value.lower(), value)
            for role, value in joined.items()
            if role in PARAMETERS
        }
    )
    if rest:
        params.setdefault("name_rest", " ".join(rest))
    subject = replace(
        one.subject,
        name=joined.get(CONNECTOR, one.subject.name),
        version=joined.get(VERSION, one.subject.version),
    )
    case = slug(joined[CASE]) if CASE in joined else one.case
    return replace(one, subject=subject, case=case, params=params)
