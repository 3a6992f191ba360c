"""Thousands of histories of a story, played as a tree: what two of them begin with is played once.

Every path from the root to a leaf is another history: each event at least once, in another
sequence, some of them again. Going back a step is going back to a savepoint; at each leaf all that
is in the books is compared with what the story comes to in its own sequence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from django.db import transaction

from portal.payments.models import Order
from portal.payments.tests.histories import Handle, More, books, events_of, happen
from portal.payments.tests.shapes import Thing

MOST_AGAIN = 4  # events that come once more in a history
CROWN = 5  # steps before the end in which histories part
LEAVES = 40  # of one crown


@dataclass
class Forest:
    """One story with what handles its events and what is compared beside the books."""

    name: str
    order: Callable[[], Order]
    handle: Handle
    more: More
    events: list[Thing] = field(default_factory=list)
    expected: dict[str, object] = field(default_factory=dict)
    random: Random = field(default_factory=Random)

    def grow(self, histories: int) -> int:
        """Play about so many histories, or all that there are; how many it were."""
        self.random.seed(self.name)  # the same ones each time
        played = 0
        with transaction.atomic():
            self.events = events_of(self.name, self.order())
            self.expected = self._in_order()
            for again in range(MOST_AGAIN + 1):
                share = max(1, -(-(histories - played) // (MOST_AGAIN + 1 - again)))
                played += self._branch([], list(range(len(self.events))), again, share)
            transaction.set_rollback(True)
        return played

    def _in_order(self) -> dict[str, object]:
        with transaction.atomic():
            for event in self.events:
                happen(event, self.handle)
            found = books() | self.more()
            transaction.set_rollback(True)
        return found

    def _branch(self, path: list[int], left: list[int], again: int, share: int) -> int:
        """Histories that begin with `path`; `left` is still to come, `again` are repeated."""
        if not left and not again:
            found = books() | self.more()
            assert found == self.expected, (self.name, path)
            return 1
        choices = [*left, *(sorted({*path} - {*left}) if again else [])]
        width = self._width(share, len(left) + again, is_root=not path)
        chosen = self.random.sample(choices, min(width, len(choices)))
        played = 0
        for place, event in enumerate(chosen):
            part = -(-(share - played) // (len(chosen) - place))
            rest = [one for one in left if one != event]
            with transaction.atomic():
                happen(self.events[event], self.handle)
                repeats = again - (event not in left)
                played += self._branch([*path, event], rest, repeats, max(part, 1))
                transaction.set_rollback(True)
        return played

    def _width(self, share: int, steps: int, *, is_root: bool) -> int:
        """Many stems with a crown each: only the last steps are played for one history alone."""
        if is_root and steps > CROWN:
            return -(-share // LEAVES)
        if steps > CROWN:
            return 1
        exact = float(share ** (1 / max(steps - 1, 1)))
        return int(exact) + (self.random.random() < exact % 1)
