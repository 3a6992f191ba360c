"""Looking at many mirrors at once. Pure: addresses in, bytes or reasons out."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote

from releases.mirrors.fetch import FetchError, MissingError, Piece, Rules, fetch

logger = logging.getLogger(__name__)

TOGETHER: Final = 32  # mirrors that are looked at at the same time
LONGEST: Final = 60.0  # seconds for one mirror with all of its files


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file to fetch: its path below the mirror's address, at most how many bytes."""

    path: str
    most: int
    only_beginning: bool = False
    piece: Piece | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """A file whose bytes are known: the SHA-256 of what is fetched of it.

    `since` is when it was published; None when an index that the mirror has lists it.
    """

    wanted: Wanted
    sha256: str
    since: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A mirror and what to fetch of it, then the samples."""

    number: int
    base_url: str
    wanted: Sequence[Wanted]
    samples: Sequence[Sample] = ()

    @property
    def all_wanted(self) -> list[Wanted]:
        return [*self.wanted, *(sample.wanted for sample in self.samples)]


@dataclass(slots=True)
class Finding:
    """What came of it: bodies by path, None for a file that is not there; why it stopped."""

    bodies: dict[str, bytes | None] = field(default_factory=dict)
    reason: str = ""


def probe_all(targets: Sequence[Target], rules: Rules) -> Mapping[int, Finding]:
    """Look at all mirrors in parallel, each for a limited time; by the numbers of the targets."""
    return asyncio.run(_probe_all(targets, rules))


async def _probe_all(targets: Sequence[Target], rules: Rules) -> dict[int, Finding]:
    gate = asyncio.Semaphore(TOGETHER)

    async def one(target: Target) -> Finding:
        async with gate:
            return await probe(target, rules)

    found = await asyncio.gather(*(one(target) for target in targets))
    return {target.number: finding for target, finding in zip(targets, found, strict=True)}


async def probe(target: Target, rules: Rules) -> Finding:
    """Fetch one file after the other; the first that cannot be had ends it."""
    finding = Finding()
    try:
        async with asyncio.timeout(LONGEST):
            await _fetch_each(target, rules, finding)
    except FetchError as error:
        finding.reason = str(error)
    except TimeoutError:
        finding.reason = f"not done within {LONGEST:.0f} seconds"
    except Exception as error:  # whatever one server does, the others are looked at
        logger.exception("probe of %s", target.base_url)
        finding.reason = f"its answer cannot be read ({type(error).__name__})"
    return finding


async def _fetch_each(target: Target, rules: Rules, finding: Finding) -> None:
    for wanted in target.all_wanted:
        url = target.base_url + quote(wanted.path)
        try:
            finding.bodies[wanted.path] = await fetch(
                url,
                rules,
                most=wanted.most,
                only_beginning=wanted.only_beginning,
                piece=wanted.piece,
            )
        except MissingError:
            finding.bodies[wanted.path] = None
