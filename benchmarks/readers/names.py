"""Names in files: slugs of cases, and subjects that read alike told apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from benchmarks.documents import Document, Measured, params_key

SAID: Final = 12  # names of one remark


def slug(name: str, otherwise: str = "case") -> str:
    """A case name as the portal writes it: lower case, digits, "_", "." and "-".

    >>> slug("DO 1 (unix socket)")
    'do_1_unix_socket'
    """
    found = re.sub(r"[^a-z0-9_.-]+", "_", name.lower()).strip("_.-")[:80]
    return found or otherwise


def parameters(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Parameters by their slugs; names that become the same one are numbered, none is lost.

    >>> parameters([("Rows", 1), ("rows", 2)])
    {'rows': 1, 'rows_2': 2}
    """
    found: dict[str, Any] = {}
    for name, value in pairs:
        base, number = slug(name, "parameter"), 1
        while (free := base if number == 1 else f"{base[:70]}_{number}") in found:
            number += 1
        found[free] = value
    return found


def left_out(what: Iterable[str]) -> list[str]:
    """The remark for what a file says and the portal does not keep as numbers; empty for nothing.

    >>> left_out(["B/op", "allocs/op", "B/op"])
    ['Left out, though the original file has it: B/op, allocs/op.']
    """
    names = list(dict.fromkeys(name[:60] for name in what))
    if not names:
        return []
    more = f" and {len(names) - SAID} more" if len(names) > SAID else ""
    return [f"Left out, though the original file has it: {', '.join(names[:SAID])}{more}."]


def told_short(one: str, other: str, longest: int = 30) -> tuple[str, str]:
    """Two names without the words that both begin with, when they are too long for a heading.

    >>> told_short("a client, 5,000 round trips, socket", "a client, 5,000 round trips, TCP")
    ('socket', 'TCP')
    """
    if max(len(one), len(other)) <= longest:
        return one, other
    words, others = one.split(), other.split()
    while len(words) > 1 and len(others) > 1 and words[0] == others[0]:
        words, others = words[1:], others[1:]
    return " ".join(words), " ".join(others)


def told_apart(document: Document) -> Document:
    """Number subjects that would be the same result twice, and say so."""
    seen: Counter[tuple[object, ...]] = Counter()
    results: list[Measured] = []
    for one in document.results:
        seen[_key(one)] += 1
        results.append(_numbered(one, seen[_key(one)]))
    if len(seen) == len(results):
        return document
    remark = "Some results read alike; the later ones carry a number in brackets."
    return replace(document, results=results, remarks=[*document.remarks, remark])


def _numbered(one: Measured, times: int) -> Measured:
    if times == 1:
        return one
    return replace(one, subject=replace(one.subject, name=f"{one.subject.name[:290]} ({times})"))


def _key(one: Measured) -> tuple[object, ...]:
    return one.subject, one.case, one.metric, one.unit, params_key(one.params)
