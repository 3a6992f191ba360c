"""A count by the Schulze method: the pairs, the strongest chains, and why each is where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from django.utils.translation import gettext as _

from governance.elections.numbers import whole
from governance.elections.told_stages import Paragraph
from governance.elections.told_ties import draw, listed
from governance.tally.schulze import Comparison


@dataclass(frozen=True, slots=True)
class PairCell:
    number: str
    wins: bool = False
    itself: bool = False


@dataclass(frozen=True, slots=True)
class PairRow:
    label: str
    is_elected: bool
    cells: tuple[PairCell, ...]


@dataclass(frozen=True, slots=True)
class PairTable:
    """A row for each candidate in the order of the count; columns in the same order."""

    title: str
    note: str
    names: tuple[str, ...]
    rows: tuple[PairRow, ...]


def pair_tables(found: Comparison, names: Sequence[str]) -> tuple[PairTable, PairTable]:
    """How many prefer one to the other, and the strongest chains."""
    return (
        _table(
            _("Each against each"),
            _("How many papers prefer the one in the row to the one in the column."),
            found.preferred,
            found,
            names,
        ),
        _table(
            _("Strongest chains"),
            _(
                "A chain goes from one to the other over pairs that were won; it holds as much as "
                "its weakest pair. Who has the stronger chain comes before the other."
            ),
            found.strongest,
            found,
            names,
        ),
    )


def _table(
    title: str,
    note: str,
    numbers: Sequence[Sequence[int]],
    found: Comparison,
    names: Sequence[str],
) -> PairTable:
    rows = (
        PairRow(
            names[a],
            a in found.elected,
            tuple(
                PairCell("", itself=True)
                if a == b
                else PairCell(whole(numbers[a][b]), numbers[a][b] > numbers[b][a])
                for b in found.order
            ),
        )
        for a in found.order
    )
    return PairTable(title, note, tuple(names[one] for one in found.order), tuple(rows))


def paragraphs(found: Comparison, names: Sequence[str], seed: str) -> list[Paragraph]:
    """One for the order, one for each tie."""
    told = [Paragraph(_("The order"), tuple(_order(found, names)))]
    for tie in found.ties:
        place = found.order.index(tie.chosen) + 1
        words = {
            "names": listed([names[one] for one in tie.candidates]),
            "name": names[tie.chosen],
            "place": place,
        }
        sentence = _(
            "For place %(place)s nobody left is beaten by another of %(names)s; the lot of the "
            "seed chose %(name)s. Anybody can draw it again."
        )
        told.append(
            Paragraph(_("A tie"), (sentence % words,), (draw(seed, place, tie.candidates, names),))
        )
    return told


def _order(found: Comparison, names: Sequence[str]) -> Iterator[str]:
    """Each against the next, and the elected against whoever is preferred to them alone."""
    first = found.order[0]
    beaten = [one for one in found.order[1:] if _margin(found, first, one) > 0]
    if beaten and len(beaten) == len(found.order) - 1:
        yield _("%(name)s is preferred to each of the others by more papers than the reverse.") % {
            "name": names[first]
        }
    next_ones = list(pairwise(found.order))
    for a, b in next_ones:
        yield _before(found, names, a, b)
    for a, b in combinations(found.order, 2):
        if a in found.elected and (a, b) not in next_ones and _margin(found, a, b) < 0:
            yield _before(found, names, a, b)


def _margin(found: Comparison, a: int, b: int) -> int:
    return found.preferred[a][b] - found.preferred[b][a]


def _before(found: Comparison, names: Sequence[str], a: int, b: int) -> str:
    words = {
        "a": names[a],
        "b": names[b],
        "for": whole(found.preferred[a][b]),
        "against": whole(found.preferred[b][a]),
        "there": whole(found.strongest[a][b]),
        "back": whole(found.strongest[b][a]),
    }
    if found.strongest[a][b] <= found.strongest[b][a]:
        return _("Between %(a)s and %(b)s no chain is stronger (%(there)s each).") % words
    if _margin(found, a, b) > 0:
        return (
            _(
                "%(a)s comes before %(b)s: %(for)s prefer %(a)s, %(against)s prefer %(b)s; the "
                "strongest chain from %(a)s holds %(there)s, back %(back)s."
            )
            % words
        )
    return (
        _(
            "%(a)s comes before %(b)s by a chain over others: it holds %(there)s, back %(back)s. "
            "Between the two alone %(for)s prefer %(a)s and %(against)s prefer %(b)s."
        )
        % words
    )
