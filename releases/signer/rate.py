"""How many signatures may be asked for in a minute: buckets that fill again evenly. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Bucket:
    """At most `per_minute` at once, and as many in each minute after that."""

    per_minute: int
    left: float
    at: float

    def seconds_to_wait(self, now: float) -> float:
        """0 when there is one to take."""
        self.left = min(self.per_minute, self.left + (now - self.at) * self.per_minute / 60)
        self.at = now
        return 0.0 if self.left >= 1 else (1 - self.left) * 60 / self.per_minute

    def take(self) -> None:
        self.left -= 1


class Rate:
    """A bucket for all, and one for each repository."""

    def __init__(self, *, in_all: int, for_each: int) -> None:
        self._for_each = for_each
        self._all = Bucket(in_all, in_all, 0.0)
        self._buckets: dict[str, Bucket] = {}

    def ask(self, repository: str, now: float) -> float:
        """Take one for the repository, or say in how many seconds there will be one.

        What belongs to no repository (files, packages) counts for all alone.
        """
        buckets = [self._all]
        if repository:
            full = Bucket(self._for_each, self._for_each, now)
            buckets.append(self._buckets.setdefault(repository, full))
        wait = max(bucket.seconds_to_wait(now) for bucket in buckets)
        if not wait:
            for bucket in buckets:
                bucket.take()
        return wait
