"""What is in an envelope: the kind of its text, then a paper as the method of the contest has it.

An empty paper is a blank vote: it takes part and prefers nobody.
"""

from __future__ import annotations

from typing import Final

from governance.tally import marks, question, schulze

_KIND: Final = b"\x01"
BLANK: Final = b""


class PaperError(ValueError):
    """A text that is no paper of this contest; the message says why. Such a vote is spoilt."""


def write(paper: bytes) -> bytes:
    """The text for the envelope."""
    return _KIND + paper


def read(text: bytes, *, method: str, candidates: int, seats: int) -> bytes:
    """The paper: places of candidates in order, or marked; with Schulze a rank for each of them.

    Raises PaperError for one that could not be counted.
    """
    if text[:1] != _KIND:
        raise PaperError("a paper of this kind is not known")
    paper = text[1:]
    if paper == BLANK:
        return paper
    if method == schulze.METHOD:
        if len(paper) != candidates:
            raise PaperError("the paper does not have one rank for each candidate")
        return paper
    if max(paper) >= candidates:
        raise PaperError("the paper names a candidate who does not stand")
    if len(set(paper)) < len(paper):
        raise PaperError("the paper names a candidate twice")
    if method == marks.PLURALITY and len(paper) > seats:
        raise PaperError("the paper has more marks than there are seats")
    if method == question.METHOD and len(paper) > 1:
        raise PaperError("the paper answers a question with both yes and no")
    return paper
