"""What a role can be given for. Apps above hand in their things as they start (`ready()`), since
accounts point to nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from portal.accounts.roles import Scope

Things = Iterable[tuple[str, str]]  # slug and display name
_SOURCES: dict[Scope, Callable[[], Things]] = {}


def offer(kind: Scope, things: Callable[[], Things]) -> None:
    """Say where the things of this kind are; asked anew each time."""
    _SOURCES[kind] = things


def known(kind: Scope) -> list[str]:
    """The slugs of this kind, in order."""
    return sorted(slug for slug, _ in _things(kind))


def find(kind: Scope, text: str) -> str | None:
    """The slug that `text` means, in any case: a slug before a display name."""
    wanted = text.strip().casefold()
    things = list(_things(kind))
    by_name = {name.casefold(): slug for slug, name in things}
    by_slug = {slug.casefold(): slug for slug, _ in things}
    return by_slug.get(wanted) or by_name.get(wanted)


def _things(kind: Scope) -> Things:
    source = _SOURCES.get(kind)
    return source() if source else ()
