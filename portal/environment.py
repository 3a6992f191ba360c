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


def words(name: str) -> list[str]:
    return [item.strip() for item in text(name).split(",") if item.strip()]


def secret(name: str) -> str:
    """A secret from NAME, or from the file that NAME_FILE names."""
    path = text(f"{name}_FILE")
    return Path(path).read_text().strip() if path else text(name)
