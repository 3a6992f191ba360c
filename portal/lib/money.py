"""Money as integer minor units of a currency; pure. Exponents: ISO 4217."""

from collections.abc import Callable
from dataclasses import dataclass

EXPONENTS = {"EUR": 2, "USD": 2, "GBP": 2, "CHF": 2, "SEK": 2, "JPY": 0}
SIGNS = {"EUR": "€", "USD": "US$", "GBP": "£", "JPY": "¥"}

_marks: list[Callable[[], tuple[str, str]]] = [lambda: (",", ".")]


def read_marks_from(marks: Callable[[], tuple[str, str]]) -> None:
    """What stands between thousands, and before the cents, in the language of the moment."""
    _marks[:] = [marks]


@dataclass(frozen=True, order=True, slots=True)
class Money:
    """`minor` units (cents) of `currency` (ISO 4217, upper case). Raises ValueError if unknown."""

    minor: int
    currency: str

    def __post_init__(self) -> None:
        if self.currency not in EXPONENTS:
            raise ValueError(f"unknown currency {self.currency!r}")

    def __add__(self, other: "Money") -> "Money":
        return Money(self.minor + self._same(other), self.currency)

    def __sub__(self, other: "Money") -> "Money":
        return Money(self.minor - self._same(other), self.currency)

    def __neg__(self) -> "Money":
        return Money(-self.minor, self.currency)

    def _same(self, other: "Money") -> int:
        if other.currency != self.currency:
            raise ValueError(f"cannot add {other.currency} to {self.currency}")
        return other.minor

    def __str__(self) -> str:
        """For people: "12,500 €", "0.50 €", in German "12.500 €"; a true minus, cents only where
        there are some.
        """
        exponent = EXPONENTS[self.currency]
        whole, part = divmod(abs(self.minor), 10**exponent)
        between, before = _marks[0]()
        digits = f"{whole:,}".replace(",", between)
        digits += f"{before}{part:0{exponent}d}" if part else ""
        sign = "\N{MINUS SIGN}" if self.minor < 0 else ""
        return f"{sign}{digits}\N{NO-BREAK SPACE}{SIGNS.get(self.currency, self.currency)}"
