"""Comments as readers follow them: each with its answers below it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from governance.models.comment import Comment

C = TypeVar("C", bound=Comment)


@dataclass(slots=True)
class Thread(Generic[C]):
    """A comment and everything that answers it, or answers an answer, oldest first."""

    comment: C
    replies: list[C] = field(default_factory=list)


def threads(comments: Iterable[C]) -> list[Thread[C]]:
    """In the order of writing. Answers to answers stand in one row: deeper nothing fits a phone."""
    found: list[Thread[C]] = []
    thread_of: dict[int, Thread[C]] = {}
    for comment in sorted(comments, key=lambda each: (each.written_at, each.pk)):
        above = thread_of.get(comment.reply_to_id) if comment.reply_to_id else None
        if above is None:
            above = Thread(comment)
            found.append(above)
        else:
            above.replies.append(comment)
        thread_of[comment.pk] = above
    return found
