"""What a repository holds, as its indices ask for it: what changed, and packages by bucket."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from releases.distributions import EVERY_PROCESSOR
from releases.models import Index, Membership, Publication
from releases.models.repository import MembershipQuerySet
from releases.repository import buckets
from releases.repository.buckets import Span

SPANS_AT_ONCE = 50  # in one question to the database


@dataclass(frozen=True)
class Change:
    """A package that came or went since the last publication."""

    slot: int
    architecture: str
    component: str
    came: bool
    went: bool

    def fits(self, index: Index) -> bool:
        """An index of YUM shows all packages, one of APT those of its component and processor."""
        if not index.component:
            return True
        fits_processor = self.architecture == index.name or self.architecture in EVERY_PROCESSOR
        return fits_processor and self.component == index.component


@dataclass(frozen=True, slots=True)
class Entry:
    """A package in an index: its place and its paragraphs."""

    slot: int
    name: str
    version: str
    architecture: str
    paragraphs: Mapping[str, str]


def changes_of(publication: Publication, *, full: bool) -> list[Change]:
    """What came and went since the current publication; all that is there, for a full one."""
    members = Membership.objects.filter(repository=publication.repository)
    serial, current = publication.serial, publication.repository.current
    after = 0 if full or current is None else current.serial
    found = members.in_publication(serial) if full else members.changed(after, serial)
    rows = found.values_list(
        "slot", "package__architecture", "package__component", "since_serial", "until_serial"
    )
    return [
        Change(slot, architecture, component, since > after, until is not None and until <= serial)
        for slot, architecture, component, since, until in rows
    ]


class Reader:
    """Packages by bucket, out of the database. Indices that show the same ones, as the three kinds
    of YUM do, are written one after the other: what was read last is remembered.
    """

    def __init__(self, serial: int) -> None:
        self._serial = serial
        self._known: tuple[object, dict[int, list[Entry]]] = (None, {})

    def read(self, index: Index, dirty: Collection[int]) -> Mapping[int, list[Entry]]:
        wanted = (index.shows, index.buckets, sorted(dirty))
        if self._known[0] != wanted:
            entries = entries_of(index, self._serial, dirty)
            self._known = (wanted, buckets.sort(entries, index.buckets))
        return self._known[1]


def entries_of(index: Index, serial: int, dirty: Collection[int]) -> Iterator[Entry]:
    """The packages of these buckets as a publication of this serial shows them."""
    members = shown_in(index, serial)
    for spans in some_at_once(buckets.spans_of(dirty, index.buckets)):
        rows = members.in_slots(spans).values_list(
            "slot",
            *("package__name", "package__version", "package__architecture", "package__stanzas"),
        )
        yield from (Entry(*row) for row in rows)


def shown_in(index: Index, serial: int) -> MembershipQuerySet:
    """The members of the repository that stand in this index."""
    members = Membership.objects.filter(repository=index.repository_id).in_publication(serial)
    if not index.component:
        return members
    return members.filter(
        package__architecture__in=[index.name, *EVERY_PROCESSOR],
        package__component=index.component,
    )


def some_at_once(spans: Sequence[Span]) -> Iterator[Sequence[Span]]:
    for start in range(0, len(spans), SPANS_AT_ONCE):
        yield spans[start : start + SPANS_AT_ONCE]
