"""How a setting is read from the environment: as text, yes or no, number, list or secret."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def flag(name: str, *, default: bool) -> bool:
    value = text(name, "yes" if default else "no").lower()
    if value in {"1", "yes", "true", "on"}:
        return True
    if value in {"0", "no", "false", "off", ""}:
        return False
    raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}")


def number(name: str, default: int) -> int:
    value = text(name, str(default))
    if not value.isdigit():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}")
    return int(value)


def hundredths(name: str, default: str) -> int:
    """A decimal with at most two places, as hundredths: 25.5 is 2550."""
    value = text(name, default)
    whole, _, part = value.partition(".")
    if not (whole.isdigit() and len(part) <= 2 and (part.isdigit() or not part)):
        raise ImproperlyConfigured(f"{name} must be a number such as 25.5, not {value!r}")
    return int(whole) * 100 + int(part.ljust(2, "0"))


def words(name: str) -> list[str]:
    return [item.strip() for item in text(name).split(",") if item.strip()]


def numbers(name: str, default: str) -> list[int]:
    """Whole numbers between commas; none where the variable is there and empty."""
    given = [item.strip() for item in text(name, default).split(",") if item.strip()]
    if not all(item.isdigit() for item in given):
        raise ImproperlyConfigured(f"{name} must be whole numbers between commas, not {given!r}")
    return [int(item) for item in given]


def secret(name: str) -> str:
    """A secret from NAME, or from the file that NAME_FILE names."""
    path = text(f"{name}_FILE")
    return Path(path).read_text().strip() if path else text(name)
