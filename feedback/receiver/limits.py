"""How much one server and one network may send. Counted in memory and bounded; pure.

A limit never guesses: it counts what this process saw, and a process that begins anew begins
with empty counts. Nothing of it is written down.
"""

from __future__ import annotations

import enum
import ipaddress
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

IPV4_NETWORK: Final = 24
IPV6_NETWORK: Final = 48
KNOWN_SENDERS: Final = 100_000  # of each kind; the ones not seen for longest are forgotten
DAY: Final = 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many more in an hour."""

    burst: int
    per_hour: float


@dataclass(slots=True)
class Buckets:
    """A token bucket for each key."""

    rate: Rate
    most: int = KNOWN_SENDERS
    _left: OrderedDict[bytes, tuple[float, float]] = field(default_factory=OrderedDict)

    def take(self, key: bytes, now: float) -> bool:
        """Whether `key` may send at `now` (seconds of a steady clock); it is counted if so."""
        left, seen = self._left.pop(key, (float(self.rate.burst), now))
        left = min(self.rate.burst, left + (now - seen) * self.rate.per_hour / 3600)
        allowed = left >= 1
        self._left[key] = (left - allowed, now)
        if len(self._left) > self.most:
            self._left.popitem(last=False)
        return allowed

    def give_back(self, key: bytes) -> None:
        """Count one less: nothing became of what `key` sent."""
        if key in self._left:
            left, seen = self._left[key]
            self._left[key] = (min(self.rate.burst, left + 1), seen)


@dataclass(slots=True)
class Newcomers:
    """How many servers a network may show in a day. Those beyond are asked for: see `Limits`."""

    per_day: int
    most: int = 10_000  # networks
    _day: int = 0
    _seen: OrderedDict[bytes, set[bytes]] = field(default_factory=OrderedDict)

    def welcome(self, network: bytes, server_key: bytes, now: float) -> bool:
        """Whether this server is one of the first `per_day` of its network today."""
        if self._day != (day := int(now // DAY)):
            self._day, self._seen = day, OrderedDict()
        seen = self._seen.setdefault(network, set())
        self._seen.move_to_end(network)
        if len(self._seen) > self.most:
            self._seen.popitem(last=False)
        if server_key in seen:
            return True
        if len(seen) >= self.per_day:
            return False
        seen.add(server_key)
        return True


class Verdict(enum.Enum):
    """What becomes of a report. The values of refusals are those of `models.Outcome`."""

    TAKE = "take"
    TAKE_IF_KNOWN = "take_if_known"
    TOO_OFTEN = "too_often"
    NETWORK = "network"


@dataclass(slots=True)
class Limits:
    """The limits of one receiver. A network that cannot be told, as behind the door of one's own
    machine, has none of its own.
    """

    servers: Buckets = field(default_factory=lambda: Buckets(Rate(burst=30, per_hour=30)))
    networks: Buckets = field(default_factory=lambda: Buckets(Rate(burst=5_000, per_hour=20_000)))
    newcomers: Newcomers = field(default_factory=lambda: Newcomers(per_day=2_000))

    def judge(self, server_key: bytes, network: bytes, now: float) -> Verdict:
        """Whether a report may be taken at `now`, in seconds of a steady clock."""
        if server_key and not self.servers.take(server_key, now):
            return Verdict.TOO_OFTEN
        if not network:
            return Verdict.TAKE
        if not self.networks.take(network, now):
            return Verdict.NETWORK
        new = self.newcomers.welcome(network, server_key, now)
        return Verdict.TAKE if new else Verdict.TAKE_IF_KNOWN

    def forgive(self, server_key: bytes, network: bytes) -> None:
        """A report that we could not store comes again every minute, for as long as it takes:
        if it counted, the limit would refuse it for good in the end.
        """
        self.servers.give_back(server_key)
        self.networks.give_back(network)


def network_of(address: str) -> bytes:
    """The network that is counted: the /24 of an IPv4 address, the /48 of an IPv6 address.

    Nothing for addresses that are not the internet's: behind one of them may be everybody.

    >>> network_of("8.8.4.4") == network_of("8.8.4.1") == network_of("::ffff:8.8.4.4")
    True
    >>> network_of("10.0.0.1")
    b''
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return b""
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found
    if not found.is_global:
        return b""
    size = IPV4_NETWORK if found.version == 4 else IPV6_NETWORK
    return found.packed[: size // 8]
