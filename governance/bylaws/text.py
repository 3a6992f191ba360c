"""From the text of bylaws to its articles and clauses, and back.

The text is Markdown: an article begins with a heading (`## 4. The board`), a clause with its
number at the start of a paragraph (`4.2 No more than ...`). What stands in an article before its
first numbered clause is a clause that has the number of the article; what stands before the first
article is the preamble.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from governance.bylaws.flow import unwrapped

ARTICLE: Final = re.compile(r"#{1,2}\s+(?:Article\s+)?(\d{1,3}[a-z]?)(?:[.:])?\s+(\S.*)", re.I)
HEADING: Final = re.compile(r"#{1,2}(\s|$)")
CLAUSE: Final = re.compile(r"(?:\*\*)?(\d{1,3}[a-z]?(?:\.\d{1,3}[a-z]?)+)\.?(?:\*\*)?(?:\s+|$)(.*)")


class Kind(StrEnum):
    PREAMBLE = "preamble"
    TITLE = "title"  # of an article
    CLAUSE = "clause"


class Fault(StrEnum):
    EMPTY = "empty"  # no article at all
    HEADING = "heading"  # a heading without the number of an article
    TWICE = "twice"  # a number that was used before
    ELSEWHERE = "elsewhere"  # clause 5.1 in article 4
    NO_GAP = "no_gap"  # what looks like a clause begins inside a paragraph
    NO_WORDS = "no_words"  # a number with nothing after it
    OUTSIDE = "outside"  # a clause before the first article


class UnreadableError(ValueError):
    """The first thing in a text that cannot be read, and the line it stands in."""

    def __init__(self, fault: Fault, line: int, number: str = "") -> None:
        super().__init__(f"line {line}: {fault} {number}".strip())
        self.fault, self.line, self.number = fault, line, number


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of bylaws that can be cited, changed and commented on."""

    kind: Kind
    number: str
    text: str

    @property
    def anchor(self) -> str:
        """What an address ends with: `c4.2`, `a4` for the title of an article."""
        return {Kind.PREAMBLE: "preamble", Kind.TITLE: "a", Kind.CLAUSE: "c"}[
            self.kind
        ] + self.number

    @property
    def flow(self) -> str:
        """The words without the ends of lines, which say nothing inside a paragraph."""
        return unwrapped(self.text)

    @property
    def source(self) -> str:
        return self._headed(self.text)

    @property
    def flowing_source(self) -> str:
        """For a field, which breaks its lines where it is wide enough."""
        return self._headed(self.flow)

    def _headed(self, words: str) -> str:
        if self.kind is Kind.TITLE:
            return f"## {self.number}. {words}"
        is_numbered = self.kind is Kind.CLAUSE and "." in self.number
        return f"{self.number} {words}" if is_numbered else words


@dataclass(frozen=True, slots=True)
class Article:
    title: Item
    clauses: tuple[Item, ...]


def read(text: str) -> list[Item]:
    """The items in reading order; raises `UnreadableError` at the first that makes no sense."""
    reader = _Reader()
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        reader.take(number, line.rstrip())
    return reader.finish()


def write(items: Iterable[Item]) -> str:
    """The text that reads as these items."""
    return "\n\n".join(item.source for item in items) + "\n"


def articles(items: Iterable[Item]) -> list[Article]:
    """The items by article; the preamble belongs to none."""
    found: list[tuple[Item, list[Item]]] = []
    for item in items:
        if item.kind is Kind.TITLE:
            found.append((item, []))
        elif item.kind is Kind.CLAUSE:
            found[-1][1].append(item)
    return [Article(title, tuple(clauses)) for title, clauses in found]


class _Reader:
    """Goes through the lines; `_open` is the item whose lines are being collected."""

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._seen: set[str] = set()
        self._article = ""
        self._open: tuple[Kind, str, int] = (Kind.PREAMBLE, "", 1)
        self._lines: list[str] = []
        self._after_gap = True

    def take(self, at: int, line: str) -> None:
        clause = CLAUSE.match(line)
        if HEADING.match(line):
            self._heading(at, line)
        elif clause and self._is_clause(at, clause[1]):
            self._begin(Kind.CLAUSE, clause[1].lower(), at)
            self._lines = [clause[2]]
        elif line and self._open[0] is Kind.TITLE:
            self._begin(Kind.CLAUSE, self._article, at)
            self._lines = [line]
        else:
            self._lines.append(line)
        self._after_gap = not line or bool(HEADING.match(line))

    def finish(self) -> list[Item]:
        self._close()
        if not self._article:
            raise UnreadableError(Fault.EMPTY, 1)
        return self._items

    def _heading(self, at: int, line: str) -> None:
        found = ARTICLE.match(line)
        if not found:
            raise UnreadableError(Fault.HEADING, at, line.lstrip("# "))
        self._close()
        self._article = found[1].lower()
        self._unused(f"article {self._article}", at, self._article)
        self._items.append(Item(Kind.TITLE, self._article, found[2].strip()))
        self._open, self._lines = (Kind.TITLE, self._article, at), []

    def _is_clause(self, at: int, number: str) -> bool:
        """Whether a clause begins here; a paragraph may also begin with 2.5 per cent."""
        belongs = number.lower().split(".")[0] == self._article
        if self._after_gap and not self._article:
            raise UnreadableError(Fault.OUTSIDE, at, number)
        if self._after_gap and not belongs:
            raise UnreadableError(Fault.ELSEWHERE, at, number)
        if belongs and not self._after_gap:
            raise UnreadableError(Fault.NO_GAP, at, number)
        return belongs

    def _begin(self, kind: Kind, number: str, at: int) -> None:
        self._close()
        self._unused(number, at, number)
        self._open = (kind, number, at)

    def _unused(self, key: str, at: int, number: str) -> None:
        if key in self._seen:
            raise UnreadableError(Fault.TWICE, at, number)
        self._seen.add(key)

    def _close(self) -> None:
        kind, number, at = self._open
        words = "\n".join(self._lines).strip()
        if words:
            self._items.append(Item(kind, number, words))
        elif kind is Kind.CLAUSE:
            raise UnreadableError(Fault.NO_WORDS, at, number)
        self._lines = []
