"""Checks the record of a version of rules: its numbers are rules that the tally can count by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from governance.bundle import plain
from governance.tally.rules import Rules

Document = dict[str, Any]
FIXED = ("body.slug", "subject", "version", "since", "numbers", "clauses")


def problems(document: Document, others: Mapping[str, Document]) -> Iterator[str]:
    try:
        plain.load(Rules, document["numbers"])
    except ValueError as error:
        yield f"nothing can be counted by these rules: {error}"
