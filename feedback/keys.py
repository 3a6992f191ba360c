"""Names of variables: which ones we know, which ones staff approved, which of them are in use.

`known_keys.txt` holds the names in a report of a 10.11 server. What is not in it came later, or
was made up: it goes to the registry, and is shown nowhere until staff approves it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from feedback.facts import ENGINES, PLUGINS, is_used
from feedback.models import KnownKey

_PRINTABLE: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")


@cache
def known() -> frozenset[str]:
    """The names that need no decision."""
    listed = Path(__file__).with_name("known_keys.txt").read_text().splitlines()
    parts = (
        f"{name.upper()} {what}" for name in (*ENGINES, *PLUGINS) for what in ("USED", "VERSION")
    )
    return frozenset([*listed, *parts])


def unknown(reports: Iterable[Iterable[str]]) -> Counter[str]:
    """How many of these reports have each unknown name. What no server would call a variable is
    left out.
    """
    found: Counter[str] = Counter()
    for names, number in Counter(tuple(report) for report in reports).items():
        for name in set(names) - known():
            if _PRINTABLE.fullmatch(name):
                found[name] += number
    return found


def approved() -> dict[str, int]:
    """The approved names and their numbers."""
    return dict(KnownKey.objects.approved().values_list("name", "pk"))


def in_use(values: Mapping[str, str], names: Mapping[str, int]) -> list[int]:
    """The numbers of approved names whose value says that something is switched on or used."""
    return sorted(pk for name, pk in names.items() if is_used(values.get(name, "")))
