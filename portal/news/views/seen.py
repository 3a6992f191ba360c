"""Which version a form in a browser began with."""

from collections.abc import Mapping


def number(sent: Mapping[str, str], name: str = "version", *, default: int = 0) -> int:
    """A whole number of the request, or `default` for whatever else was sent."""
    text = sent.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else default
