"""What apps above keep of an organisation: as they start (`ready()`) they name the module that says
so, since members point to nobody above them. The history of letters and the export ask all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

if TYPE_CHECKING:
    from portal.members.models import Organisation

File = tuple[str, Callable[[], bytes]]  # its path in the export, and what writes it
_MODULES: dict[str, None] = {}  # in the sequence of the apps


def _nothing(organisation: Organisation) -> tuple[()]:
    return ()


@dataclass(frozen=True, slots=True)
class Belongings:
    """One app's part: `records` are its rows, one QuerySet for each model, `files` papers and
    pictures beside them. `elsewhere` are models that point to such rows and are no records of an
    organisation, each with the reason.

    `letters` are the names, besides the organisation's own, that its letters are kept under,
    `orders` the keys of what was ordered for it, whether a term came of it or not.
    """

    name: str
    letters: Callable[[Organisation], Iterable[str]] = _nothing
    records: Callable[[Organisation], Iterable[QuerySet[Any]]] = _nothing
    files: Callable[[Organisation], Iterable[File]] = _nothing
    orders: Callable[[Organisation], Iterable[int]] = _nothing
    elsewhere: Mapping[str, str] = field(default_factory=dict)


def hand_in(module: str) -> None:
    """Where `BELONGINGS` of an app stand. They are read when somebody asks, not at the start."""
    _MODULES[module] = None


def all_parts() -> list[Belongings]:
    return [import_module(module).BELONGINGS for module in _MODULES]
