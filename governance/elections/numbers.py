"""Votes and parts of votes as a page writes them: exact, cut and never rounded, in figures."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.utils import formats
from django.utils.translation import ngettext

from governance.tally.stages import Tally

MOST_PLACES: Final = 5  # on a page; a file has them all


@dataclass(frozen=True, slots=True)
class Scale:
    """How many decimals of a vote are told."""

    unit: int
    places: int

    def votes(self, parts: int) -> str:
        """42.14025"""
        value = Decimal(abs(parts)).scaleb(-digits(self.unit))
        text = formats.number_format(value, decimal_pos=self.places, force_grouping=True)
        return f"−{text}" if parts < 0 else text

    def said(self, parts: int) -> str:
        """As a sentence has it: 43 and 42.25, not 43.00000."""
        cut = parts - parts % (self.unit // 10**self.places)
        places = next(n for n in range(self.places + 1) if cut % (self.unit // 10**n) == 0)
        return Scale(self.unit, places).votes(cut)

    def change(self, parts: int) -> str:
        """A sum of bookkeeping: +6.14025, −14.00000; nothing where nothing changed."""
        if not parts:
            return ""
        return f"+{self.votes(parts)}" if parts > 0 else self.votes(parts)

    def counted(self, parts: int) -> str:
        """As `said`, with the word: 1 vote, 2.14025 votes."""
        number = 1 if parts == self.unit else 2
        return ngettext("%(votes)s vote", "%(votes)s votes", number) % {"votes": self.said(parts)}

    @property
    def is_cut(self) -> bool:
        return 0 < self.places < digits(self.unit)


def scale(tally: Tally) -> Scale:
    """No decimals where every number of the count is whole, else at most `MOST_PLACES`."""
    whole = all(
        parts % tally.unit == 0
        for stage in tally.stages
        for parts in (*stage.votes, stage.quota, stage.exhausted, stage.lost)
    )
    return Scale(tally.unit, 0 if whole else min(digits(tally.unit), MOST_PLACES))


def exact(parts: int, unit: int) -> str:
    """For a file: every decimal, with a point, in any language."""
    return f"{Decimal(parts).scaleb(-digits(unit)):f}"


def digits(unit: int) -> int:
    """Decimal places of a unit, which is a power of ten."""
    return len(str(unit)) - 1


def whole(value: int) -> str:
    return formats.number_format(value, force_grouping=True)
