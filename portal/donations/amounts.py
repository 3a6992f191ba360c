"""Amounts that people type and the staff suggest; pure."""

import re

from portal.lib.money import EXPONENTS, Money

LARGEST_DIGITS = 9
TYPED = re.compile(rf"(?P<whole>[0-9]{{1,{LARGEST_DIGITS}}})(?:[.,](?P<part>[0-9]{{1,2}}))?")


def typed_amount(text: str, currency: str) -> Money:
    """ "25", "25.50" and "25,5" in a currency with cents. Raises ValueError for all else.

    Nobody gives a third digit after the point: "1,000" could mean one or a thousand.
    """
    found = TYPED.fullmatch(text.strip())
    exponent = EXPONENTS[currency]
    part = (found["part"] or "") if found else ""
    if found is None or len(part) > exponent:
        raise ValueError(f"no amount in {currency}: {text[:40]!r}")
    return Money(int(found["whole"]) * 10**exponent + int(part.ljust(exponent, "0") or 0), currency)


def suggestions(text: str, currency: str) -> list[Money]:
    """ "5 10 25" as amounts. Raises ValueError."""
    return [typed_amount(word, currency) for word in text.split()]


def plain(amount: Money) -> str:
    """As somebody would type it: "25", "25.50"."""
    whole, part = divmod(amount.minor, 10 ** EXPONENTS[amount.currency])
    return f"{whole}.{part:02d}" if part else str(whole)
