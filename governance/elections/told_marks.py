"""A count of marks, by approval or plurality: bars, and who is elected with how many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.elections.numbers import whole
from governance.elections.told_stages import Paragraph
from governance.elections.told_ties import draw, listed
from governance.tally.marks import Marks


@dataclass(frozen=True, slots=True)
class MarkRow:
    label: str
    votes: int
    is_elected: bool


def mark_rows(found: Marks, names: Sequence[str]) -> list[MarkRow]:
    """The one with most first."""
    return [MarkRow(names[one], found.votes[one], one in found.elected) for one in found.order]


def paragraphs(found: Marks, names: Sequence[str], seed: str) -> list[Paragraph]:
    """Who is elected, and the ties that mattered."""
    told = [Paragraph(_("The marks"), tuple(_elected(found, names)))]
    for tie in found.ties:
        if not set(tie.candidates) & set(found.elected):
            continue
        votes = found.votes[tie.chosen]
        words = {
            "names": listed([names[one] for one in tie.candidates]),
            "votes": whole(votes),
            "name": names[tie.chosen],
        }
        sentence = ngettext(
            "%(names)s have %(votes)s mark each; the lot of the seed put %(name)s first. Anybody "
            "can draw it again.",
            "%(names)s have %(votes)s marks each; the lot of the seed put %(name)s first. Anybody "
            "can draw it again.",
            votes,
        )
        told.append(
            Paragraph(_("A tie"), (sentence % words,), (draw(seed, 1, tie.candidates, names),))
        )
    return told


def _elected(found: Marks, names: Sequence[str]) -> Iterator[str]:
    for one in found.elected:
        words = {
            "name": names[one],
            "votes": whole(found.votes[one]),
            "valid": whole(found.valid),
        }
        yield (
            ngettext(
                "%(votes)s of %(valid)s papers marks %(name)s, who is elected.",
                "%(votes)s of %(valid)s papers mark %(name)s, who is elected.",
                found.votes[one],
            )
            % words
        )
    after = found.order[found.seats : found.seats + 1]
    for one in after:
        yield ngettext(
            "The next is %(name)s with %(votes)s mark.",
            "The next is %(name)s with %(votes)s marks.",
            found.votes[one],
        ) % {"name": names[one], "votes": whole(found.votes[one])}
