"""What differs between the indices of APT and YUM. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from releases.repository import apt, yum
from releases.repository.apt import Known


@dataclass(frozen=True, slots=True)
class Form:
    """How one index is written from the paragraphs of packages, and read again."""

    paragraph: str  # which of a package's paragraphs
    head: Callable[[int], bytes]  # from the number of packages
    tail: bytes
    read: Callable[[bytes], Iterator[Known]]


PACKAGES: Final = Form("packages", lambda packages: b"", b"", apt.read_stanzas)
METADATA: Final = {
    kind: Form(kind, partial(yum.head, kind), yum.tail(kind), partial(yum.read_fragments, kind))
    for kind in yum.KINDS
}


def form_of(name: str) -> Form:
    """That of a kind of YUM metadata, or of an architecture of APT."""
    return METADATA.get(name, PACKAGES)
