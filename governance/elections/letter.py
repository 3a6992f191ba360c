"""What the letters of elections have in common: to whom, of which election, and their shape.

All have one template, so that text and HTML always say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from portal.lib import languages, outbox

P = ParamSpec("P")
R = TypeVar("R")
TEMPLATE = "governance/election"


@dataclass(frozen=True, slots=True)
class Reader:
    """Who gets a letter. `key` tells people apart, whatever their address is."""

    name: str
    email: str
    key: str
    language: str = ""  # none: that of the foundation


def to_reader(write: Callable[Concatenate[Reader, P], R]) -> Callable[Concatenate[Reader, P], R]:
    """A function that words a letter: it does so in the language of who reads it."""

    @wraps(write)
    def written(reader: Reader, /, *args: P.args, **facts: P.kwargs) -> R:
        with languages.of_reader(reader.language):
            return write(reader, *args, **facts)

    return written


@dataclass(frozen=True, slots=True)
class Of:
    """The election that a letter is about."""

    slug: str  # 2026-board
    title: str


@dataclass(frozen=True, slots=True)
class Words:
    """What a letter says: sentences, facts in two columns, one link, sentences after it."""

    subject: str
    said: Sequence[str]
    action: str  # what the link is for
    link: str
    facts: Sequence[tuple[str, str]] = ()
    quote: str = ""  # the words of somebody else
    after: Sequence[str] = ()


def letter(
    kind: str, reader: Reader, election: Of, words: Words, *, more: str = ""
) -> outbox.Letter:
    """To be promised by `outbox.enqueue_all` in the transaction of what it tells of.

    The same kind to the same person goes out once; `more` tells apart those that are repeated.
    """
    key = f"election:{election.slug}:{kind}:{reader.key}:{more}".rstrip(":")
    return outbox.Letter(
        to=reader.email,
        template=TEMPLATE,
        context={"person": reader.name, "words": words},
        key=key,
        about=about(election),
    )


def about(election: Of) -> str:
    """What the letters of an election are about, in the words of the outbox."""
    return f"election:{election.slug}"
