"""How pages and machines write the label of a cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from feedback.facts import GALERA_NODES
from feedback.publication import OTHER
from portal.lib.countries import COUNTRIES

ESTABLISHED: Final = "established"
FIRST_SEEN: Final = "first seen"
SERVERS: Final = "servers"
UNKNOWN: Final = "unknown"
SMALL_OR_UNKNOWN: Final = "less than 1 or unknown"
SUPPORTED: Final = "supported"
ENDED: Final = "past its end"


@dataclass(frozen=True, slots=True)
class Cell:
    """A label with its servers, and the group it stands in."""

    label: str
    servers: int
    group: str = ""
    base: int = 0  # of so many servers, where these are not all of the breakdown


def numbers_of(label: str) -> list[int]:
    """To order by: 10.11 comes after 10.6, and what is no number first.

    >>> numbers_of("10.11"), numbers_of("unknown")
    ([10, 11], [])
    """
    parts = label.split(".")
    return [int(part) for part in parts] if all(part.isdigit() for part in parts) else []


_NAMES: Final = dict(COUNTRIES)

LABELS: Final[Mapping[str, str | Promise]] = {
    OTHER: _("other"),
    ESTABLISHED: _("established"),
    FIRST_SEEN: _("first seen"),
    SERVERS: _("servers"),
    UNKNOWN: _("unknown"),
    SMALL_OR_UNKNOWN: _("less than 1, or unknown"),
    SUPPORTED: _("Supported"),
    ENDED: _("Past its end"),
    "newest patch release": _("Newest patch release"),
    "1 release behind": _("1 release behind"),
    "2 releases behind": _("2 releases behind"),
    "3 or more releases behind": _("3 or more releases behind"),
    "none": _("None"),
    "source": _("Source"),
    "replica": _("Replica"),
    "source and replica": _("Source and replica"),
    "off": _("Off"),
    "mariadb": "MariaDB",
    "enterprise": _("MariaDB Enterprise"),
    "percona": "Percona",
    "mysql": "MySQL",
    "RHEL and kin": _("RHEL and kin"),
    "Linux, other": _("Linux, other"),
    "shared": _("Two machines with one identity"),
    "backwards": _("A counter that shrank without a restart"),
    "uptime": _("Up for more than 20 years"),
    "version": _("A version that is not released"),
    "check constraints": _("Check constraints"),
    "dynamic columns": _("Dynamic columns"),
    "full-text search": _("Full-text search"),
    "spatial data": _("Spatial data"),
    "insert returning": _("INSERT … RETURNING"),
    "invisible columns": _("Invisible columns"),
    "JSON functions": _("JSON functions"),
    "subqueries": _("Subqueries"),
    "system versioning": _("System versioning"),
    "application periods": _("Application-time periods"),
    "time zones": _("Time zones"),
    "triggers": _("Triggers"),
    "window functions": _("Window functions"),
    "XML functions": _("XML functions"),
    "custom aggregates": _("Custom aggregates"),
    "partitions": _("Partitions"),
    "replication": _("Replication"),
    "semi-synchronous replication": _("Semi-synchronous replication"),
    "TLS": _("TLS for clients"),
    "binary log": _("Binary log"),
    "event scheduler": _("Event scheduler"),
    "performance schema": _("Performance schema"),
    "thread pool": _("Thread pool"),
    "encrypted tables": _("Encrypted tables"),
}


def label_of(cell: Cell) -> str:
    """How a page writes the label of a cell."""
    word = str(LABELS.get(cell.label, cell.label))
    if cell.label == OTHER and cell.group not in {"", OTHER}:
        group = LABELS.get(cell.group, cell.group)
        return str(_("%(group)s, others")) % {"group": group}
    return word


def country_label(cell: Cell) -> str:
    """The name of a country for its code.

    >>> country_label(Cell("FI", 12))
    'Finland'
    """
    return str(_NAMES.get(cell.label, "")) or label_of(cell)


def range_label(most: int) -> Callable[[Cell], str]:
    """Words for a number that stands for itself up to the next power of two; `most` for all above.

    >>> [range_label(64)(Cell(label, 12)) for label in ("1", "8", "64", "other")]
    ['1', '8 to 15', '64 or more', 'other']
    """

    def label(cell: Cell) -> str:
        if not cell.label.isdigit():
            return label_of(cell)
        least = int(cell.label)
        if least >= most:
            return str(_("%(least)d or more")) % {"least": least}
        if least > 1:
            return str(_("%(least)d to %(most)d")) % {"least": least, "most": 2 * least - 1}
        return str(least)

    return label


def steps_label(steps: Sequence[int]) -> Callable[[Cell], str]:
    """Words for a number that stands for itself up to the next step.

    >>> [steps_label((0, 7, 30))(Cell(label, 12)) for label in ("0", "7", "30", "other")]
    ['less than 7', '7 to 29', '30 or more', 'other']
    """

    def label(cell: Cell) -> str:
        if not cell.label.isdigit():
            return label_of(cell)
        least = int(cell.label)
        most = next((step for step in steps if step > least), None)
        if most is None:
            return str(_("%(least)d or more")) % {"least": least}
        if most == least + 1 and least:
            return str(least)
        if not least:
            return str(_("less than %(most)d")) % {"most": most}
        return str(_("%(least)d to %(most)d")) % {"least": least, "most": most - 1}

    return label


def galera_label(cell: Cell) -> str:
    return str(_("No cluster")) if cell.label == "0" else steps_label(GALERA_NODES)(cell)


def restarts_label(cell: Cell) -> str:
    return str(_("None")) if cell.label == "0" else steps_label((1, 2, 3))(cell)


def plain_label(cell: Cell) -> str:
    """The same for machines: never translated."""
    if cell.label == OTHER and cell.group not in {"", OTHER}:
        return f"{cell.group} {OTHER}"
    return cell.label
