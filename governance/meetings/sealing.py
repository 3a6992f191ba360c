"""What everybody reads of minutes, and a hash for it that also stands for what they do not; pure.

In the published text each closed session is its title, the result of its motion, and the SHA-256
of the session as it stands in the whole text, with a salt of its own so that nobody can guess what
was said. The hash of minutes is that of the published text: a stranger computes it, and it binds
what was said behind closed doors as well.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from governance.meetings.document import Document, Item
from governance.meetings.reading import read
from governance.meetings.writing import section, write


def published(document: Document) -> Document:
    """For everybody: what was said in closed sessions is not in it, its digest is."""
    items = tuple(_public(number, item) for number, item in enumerate(document.items, start=1))
    return replace(document, items=items)


def is_sealed(document: Document) -> bool:
    """Whether its published text stands for the whole one; of minutes from before closed sessions
    had a salt it does not.
    """
    return all(item.salt or item.sealed for item in document.items if item.is_closed)


def text_hash(document: Document) -> str:
    """The SHA-256 of its minutes, whichever of the two texts it was read from."""
    return _digest(write(published(document)))


def published_text(text: str) -> str:
    """The text that everybody reads, of the whole text or of itself."""
    return write(published(read(text)))


def _public(number: int, item: Item) -> Item:
    if not item.is_closed:
        return item
    sealed = item.sealed or (_digest(section(number, item)) if item.salt else "")
    return Item(item.title, motion=item.motion, is_closed=True, sealed=sealed, result=item.result)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
