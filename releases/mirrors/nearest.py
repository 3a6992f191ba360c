"""Which mirror a visitor is sent to. Pure.

The rule is one that an operator can foretell: a mirror in the visitor's country, else one on the
continent, else any. Among those each gets visitors by its weight, and the same visitor always gets
the same one while it is there (weighted rendezvous hashing: when a mirror goes, only its own
visitors move).
"""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

NEIGHBOURS: Final = {4: 24, 6: 48}  # addresses that are one visitor to us, by IP version


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mirror stands and how many visitors it takes."""

    slug: str
    country: str
    continent: str
    weight: int


def ranked(places: Sequence[Place], *, country: str, continent: str, visitor: str) -> list[Place]:
    """All places, the best for this visitor first."""

    def order(place: Place) -> tuple[int, float]:
        return _distance(place, country, continent), _draw(place, visitor)

    return sorted(places, key=order)


def visitor_of(address: str, secret: str) -> str:
    """A keyed hash of the network that an address lies in: enough to stay, not to be found."""
    found = ipaddress.ip_address(address)
    network = ipaddress.ip_network((found, NEIGHBOURS[found.version]), strict=False)
    return hashlib.blake2b(str(network).encode(), key=secret.encode()[:64]).hexdigest()


def _distance(place: Place, country: str, continent: str) -> int:
    if country and place.country == country:
        return 0
    return 1 if continent and place.continent == continent else 2


def _draw(place: Place, visitor: str) -> float:
    """A number from the visitor and the mirror; the lowest wins, by weight."""
    digest = hashlib.blake2b(f"{visitor} {place.slug}".encode(), digest_size=8).digest()
    chance = (int.from_bytes(digest, "big") + 1) / (2**64 + 1)
    return -log(chance) / place.weight
