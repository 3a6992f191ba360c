"""What the configuration generator offers: combinations that are truly published, nothing else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from releases.choices.details import Details, MirrorOption, details_of
from releases.choices.targets import Live, Target, live, live_targets
from releases.configurator import Output, outputs_for
from releases.distributions import DISTRIBUTIONS, PROCESSORS, Distribution
from releases.models import Product, Repository

__all__ = ["Chosen", "Details", "Live", "MirrorOption", "Target", "choose", "live"]

T = TypeVar("T")


@dataclass(frozen=True)
class Chosen:
    """The combination that fits the query, and what it was chosen from.

    `missing` names the wishes of the query that nothing published fits; for each of them the
    nearest thing that is there was taken.
    """

    product: Product
    target: Target
    system: Distribution
    repository: Repository
    architecture: str
    output: Output
    mirror: MirrorOption | None
    package: str
    details: Details

    targets: list[Target]
    products: list[Product]
    architectures: list[str]
    outputs: list[Output]
    missing: tuple[str, ...]
    wished_system: Distribution | None

    @property
    def series(self) -> list[Target]:
        return [found for found in self.targets if found.kind == "series"]

    @property
    def aliases(self) -> list[Target]:
        return [found for found in self.targets if found.kind == "alias"]

    @property
    def versions(self) -> list[Target]:
        return [found for found in self.targets if found.kind == "version"]

    @property
    def systems(self) -> list[Distribution]:
        """Those that the target has packages for."""
        return self.target.systems

    @property
    def other_systems(self) -> list[Distribution]:
        """Those that only other series have packages for."""
        everywhere = _in_our_order(found for target in self.targets for found in target.systems)
        return [found for found in everywhere if found not in self.systems]

    def missing_for(self, form: str) -> tuple[str, ...]:
        """On a page the format is a tab: one that does not fit the system is no loss."""
        return tuple(name for name in self.missing if form == "text" or name != "format")

    @property
    def elsewhere(self) -> list[Target]:
        """Series that are there for the system that was wished."""
        return [found for found in self.series if self.wished_system in found.systems]


def choose(
    query: Mapping[str, str], *, at: dt.datetime, everything: list[Target] | None = None
) -> Chosen | None:
    """What fits each wish as far as it can be met; None when nothing at all is published.

    A wish is compared with what there is, and never used. `everything` spares asking again.
    """
    everything = live_targets(at=at) if everything is None else everything
    if not everything:
        return None
    wish = _Wishes(query)
    products = list(dict.fromkeys(found.series.product for found in everything))
    product = wish.of("product", products, lambda found: found.slug)
    targets = [found for found in everything if found.series.product == product]
    target = wish.of("series", sorted(targets, key=lambda found: found.rank()), _name)
    still = [found for found in target.systems if not found.is_ended(at.date())]
    system = wish.of("distribution", still + target.systems, lambda found: found.slug)
    repositories = target.repositories_for(system)
    if system.is_deb:
        details = _details(repositories[0], at)
        architectures = details.architectures
        architecture = wish.of("arch", architectures, _processor, _processor)
        repository = repositories[0]
    else:
        repository = wish.of("arch", repositories, _of_processor, _processor)
        details = _details(repository, at)
        architectures = [found.architecture for found in repositories]
        architecture = repository.architecture
    outputs = outputs_for(system.tool)
    mirrors: list[MirrorOption | None] = [None, *details.mirrors]
    return Chosen(
        product=product,
        target=target,
        system=system,
        repository=repository,
        architecture=architecture,
        output=wish.of("format", outputs, lambda found: found.slug),
        mirror=wish.of("mirror", mirrors, lambda found: found.slug if found else ""),
        package=details.package,
        details=details,
        targets=targets,
        products=products,
        architectures=architectures,
        outputs=outputs,
        missing=tuple(wish.missing),
        wished_system=DISTRIBUTIONS.get(query.get("distribution", "")),
    )


class _Wishes:
    """The query; remembers what could not be met."""

    def __init__(self, query: Mapping[str, str]) -> None:
        self.query = query
        self.missing: list[str] = []

    def of(
        self,
        name: str,
        offered: Sequence[T],
        key: Callable[[T], str],
        understood: Callable[[str], str] = str,
    ) -> T:
        """The one that was wished, else the first."""
        wished = self.query.get(name, "")
        if wished:
            for found in offered:
                if key(found) == understood(wished):
                    return found
            self.missing.append(name)
        return offered[0]


def _details(repository: Repository, at: dt.datetime) -> Details:
    return details_of(repository, key_states=tuple(repository.key_states), at=at)  # type: ignore[attr-defined]


def _name(target: Target) -> str:
    return target.name


def _processor(architecture: str) -> str:
    """amd64 and x86_64 are the same wish."""
    return PROCESSORS.get(architecture, architecture)


def _of_processor(repository: Repository) -> str:
    return _processor(repository.architecture)


def _in_our_order(found: Iterable[Distribution]) -> list[Distribution]:
    known = list(DISTRIBUTIONS.values())
    return sorted(set(found), key=known.index)
