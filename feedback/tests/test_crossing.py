"""Whether anybody can work out a small group from all that is published together."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from random import Random
from typing import Final

import numpy as np
import pytest
from scipy.optimize import linprog

from feedback.counting import Counted
from feedback.crosses import NOT_TOLD, CrossCell, crosses
from feedback.crossing import tell
from feedback.publication import OTHER, SMALLEST, publish, publish_yes

# What the made-up servers can be: series, system, and three facts that are told within these.
FACTS: Final = {
    "series": ("10.6", "10.11", "11.4"),
    "system": ("Debian", "Ubuntu", "Windows"),
    "architecture": ("x86_64", "aarch64"),
    "memory": ("8", "16"),
    "feature": ("yes", "no"),
}
NAMES: Final = tuple(FACTS)
PROFILES: Final = tuple(product(*FACTS.values()))
Profile = tuple[str, ...]
Fleet = Counter[Profile]


def a_fleet(seed: int) -> Fleet:
    """Few profiles, of very different frequency, as in life."""
    random = Random(seed)
    weights = [random.random() ** 6 for _ in PROFILES]
    return Counter(random.choices(PROFILES, weights, k=random.randrange(60, 500)))


def counted(fleet: Fleet) -> Counted:
    found = Counted()
    for (series, system, architecture, memory, feature), servers in fleet.items():
        place = series, system
        found.places[place] += servers
        found.parts["architecture"].setdefault(place, Counter())[architecture] += servers
        found.parts["memory"].setdefault(place, Counter())[memory] += servers
        if feature == "yes":
            found.yes["feature"]["asked"][place] += servers
    return found


class Attacker:
    """Knows all that is published, and asks what any fleet that fits it may look like."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet = fleet
        self.sums: list[np.ndarray] = []
        self.told: list[int] = []
        self.learn([True] * len(PROFILES))
        for fact in NAMES[:-1]:
            self.read_margin(fact)
        yes = self.margin("feature")["yes"]
        if publish_yes(yes, fleet.total()) is not None:
            self.learn([profile[-1] == "yes" for profile in PROFILES])
        cells = list(crosses(counted(fleet)))
        for cell in cells:
            self.read_cross(cell, cells)

    def margin(self, fact: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for profile, servers in self.fleet.items():
            found[profile[NAMES.index(fact)]] += servers
        return found

    def learn(self, holds: list[bool], told: int | None = None) -> None:
        """The number of servers for which this holds; what is told of it must be true."""
        true = sum(self.fleet[profile] for profile, it in zip(PROFILES, holds, strict=True) if it)
        assert told in {None, true}
        self.sums.append(np.array(holds, dtype=float))
        self.told.append(true)

    def shown(self, fact: str) -> set[str]:
        return set(publish(self.margin(fact)).cells) - {OTHER}

    def read_margin(self, fact: str) -> None:
        at = NAMES.index(fact)
        for label in self.shown(fact):
            self.learn([profile[at] == label for profile in PROFILES])

    def read_cross(self, cell: CrossCell, cells: list[CrossCell]) -> None:
        chart = cell.chart
        peers = [other for other in cells if other.chart == chart]
        label = "yes" if chart == "feature" else cell.label
        named = {other.label for other in peers} - {OTHER} if chart != "feature" else {"yes"}
        systems = {other.system for other in cells} | {
            other.label for other in cells if other.chart == "system"
        }
        places = {(other.series, other.system) for other in peers} - {NOT_TOLD}

        def place_of(profile: Profile) -> tuple[str, str]:
            series = profile[0] if profile[0] in self.shown("series") else OTHER
            system = profile[1] if profile[1] in systems else OTHER
            fitting = [place for place in ((series, system), (series, "")) if place in places]
            return fitting[0] if fitting else NOT_TOLD

        def label_of(profile: Profile) -> str:
            value = profile[NAMES.index(chart)]
            return value if value in named or chart == "feature" else OTHER

        place = cell.series, cell.system
        inside = [place_of(profile) == place for profile in PROFILES]
        self.learn(
            [it and label_of(p) == label for it, p in zip(inside, PROFILES, strict=True)],
            cell.servers,
        )
        if chart == "feature":
            self.learn(inside, cell.base)

    def bounds(self, holds: list[bool]) -> tuple[float, float]:
        goal = np.array(holds, dtype=float)
        known = {"A_eq": np.array(self.sums), "b_eq": np.array(self.told), "bounds": (0, None)}
        least, most = linprog(goal, **known), linprog(-goal, **known)
        assert least.success
        assert most.success
        return least.fun, -most.fun


def small_groups(fleet: Fleet, size: int) -> list[list[bool]]:
    """Which profiles lie in each group of one to nine servers that share so many facts."""
    found = []
    for facts in combinations(range(len(NAMES)), size):
        for values in product(*[list(FACTS.values())[at] for at in facts]):
            wanted = list(zip(facts, values, strict=True))
            holds = [all(profile[at] == value for at, value in wanted) for profile in PROFILES]
            servers = sum(fleet[p] for p, it in zip(PROFILES, holds, strict=True) if it)
            if 0 < servers < SMALLEST:
                found.append(holds)
    return found


def attack(seed: int, sizes: tuple[int, ...], most: int = 12) -> int:
    fleet = a_fleet(seed)
    attacker = Attacker(fleet)
    random, tried = Random(seed), 0
    for size in sizes:
        groups = small_groups(fleet, size)
        for holds in random.sample(groups, min(most, len(groups))):
            least, high = attacker.bounds(holds)
            assert high - least >= SMALLEST - 1e-6, (seed, least, high, holds)
            tried += 1
    return tried


@pytest.mark.parametrize("seed", range(4))
def test_nobody_can_narrow_down_a_small_group(seed: int) -> None:
    assert attack(seed, (1, 2, 3), most=4)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(100, 400))
def test_no_small_group_of_many_fleets_can_be_narrowed_down(seed: int) -> None:
    attack(seed, (1, 2, 3, 4, 5))


def test_the_smallest_column_joins_one_that_is_too_small() -> None:
    told = tell({"a": {"x": 50, "y": 15, OTHER: 2}, "b": {"x": 40, "y": 12, OTHER: 9}})
    assert told.rows == {"a": {"x": 50, OTHER: 17}, "b": {"x": 40, OTHER: 21}}
    assert not told.rest


def test_a_row_that_is_left_out_takes_another_with_it() -> None:
    table = {"a": {"x": 40, "y": 3}, "b": {"x": 30, "y": 30}, "c": {"x": 90, "y": 80}}
    told = tell(table)
    assert set(told.rows) == {"c"}
    assert told.rest == {"x": 70, "y": 33}


def test_of_a_table_without_room_nothing_is_told() -> None:
    assert tell({"a": {"x": 12, "y": 3}, "b": {"x": 2, "y": 9}}).rows == {}
