"""Bylaws as pages show them: clauses with what changed, and what was said about each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta

from governance.bylaws import words as bylaws_words
from governance.bylaws.changes import Change, How, compare
from governance.bylaws.text import Item, Kind, UnreadableError, read
from governance.discussion.threads import Thread, threads
from governance.models import ClauseComment, Proposal, Version


@dataclass(frozen=True, slots=True)
class Clause:
    """A row of a redline."""

    change: Change
    threads: list[Thread[ClauseComment]] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        return self.change.anchor

    @property
    def is_title(self) -> bool:
        return self.change.item.kind is Kind.TITLE

    @property
    def is_same(self) -> bool:
        return self.change.how is How.SAME

    @property
    def word(self) -> str:
        return bylaws_words.how(self.change.how)

    @property
    def place(self) -> str:
        return bylaws_words.place(self.anchor)

    @property
    def comments(self) -> int:
        return sum(1 + len(thread.replies) for thread in self.threads)


@dataclass(frozen=True, slots=True)
class Redline:
    """Two texts beside each other, by article, with what was said."""

    articles: list[list[Clause]]
    lost: list[Thread[ClauseComment]]  # about clauses that are not there any more
    general: list[Thread[ClauseComment]]
    counts: dict[str, int]

    @property
    def changed(self) -> int:
        return sum(self.counts.values())

    @property
    def anchors(self) -> set[str]:
        return {clause.anchor for article in self.articles for clause in article}

    @property
    def only_changed(self) -> list[list[Clause]]:
        """The articles in which something changed or was said."""
        return [each for each in self.articles if any(not c.is_same or c.threads for c in each)]


def redline(
    before: Sequence[Item], after: Sequence[Item], comments: Iterable[ClauseComment] = ()
) -> Redline:
    said: dict[str, list[Thread[ClauseComment]]] = defaultdict(list)
    for thread in threads(comments):
        said[thread.comment.clause].append(thread)
    general = said.pop("", [])
    clauses = [Clause(change, said.pop(change.anchor, [])) for change in compare(before, after)]
    lost = [thread for left in said.values() for thread in left]
    return Redline(_by_article(clauses), lost, general, _counts(clauses))


def between(before: Version, after: Version) -> Redline:
    """What the later of two versions changed when it was adopted, read in either direction.

    A slip of spelling that is corrected in it now was no change of it; one that was corrected in
    the older before that day was none either.
    """
    older, newer = sorted((before, after), key=lambda version: version.number)
    adopted = datetime.combine(newer.adopted_on + timedelta(days=1), time.min, tzinfo=UTC)
    items = {older.pk: older.items(adopted), newer.pk: newer.adopted_items}
    return redline(items[before.pk], items[after.pk])


def of_proposal(proposal: Proposal, comments: Iterable[ClauseComment] = ()) -> Redline | None:
    """Against the version it changes; None when an amendment left a text that cannot be read."""
    try:
        after = read(proposal.motion.text)
    except UnreadableError:
        return None
    return redline(proposal.base.items(proposal.based_at), after, comments)


def _by_article(clauses: Iterable[Clause]) -> list[list[Clause]]:
    """A new group at each title; the preamble is a group of its own."""
    found: list[list[Clause]] = []
    for clause in clauses:
        if clause.is_title or not found:
            found.append([])
        found[-1].append(clause)
    return found


def _counts(clauses: Iterable[Clause]) -> dict[str, int]:
    found: dict[str, int] = {how.value: 0 for how in How if how is not How.SAME}
    for clause in clauses:
        if not clause.is_same:
            found[clause.change.how.value] += 1
    return found
