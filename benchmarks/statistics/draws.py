"""The bootstrap of a median: seeded, the same everywhere, and cheap."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DRAWS: Final = 2000
_TAIL: Final = 0.025  # on each side of a 95 % interval


def medians(table: Floats) -> Floats:
    """The median of each row; several times quicker than numpy's for rows of a few values."""
    import numpy as np

    ordered, size = np.sort(table, axis=-1), table.shape[-1]
    middle: Floats = ordered[..., size // 2]
    return middle if size % 2 else ordered[..., size // 2 - 1] / 2 + middle / 2


def seed_of(key: str) -> int:
    """The same number for the same key on every machine, so that an interval can be repeated."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8])


def drawn_medians(values: Floats, key: str) -> tuple[Floats, Floats]:
    """The two middle values of each of ``DRAWS`` samples with replacement of the size of
    ``values``; they are the same for an odd size. The order of ``values`` does not matter.

    The sample itself is never made. Which of n sorted values is the k-th smallest of n drawn ones
    depends on the k-th smallest of n uniform numbers only, which is Beta(k, n - k + 1); the next
    one lies above it like the smallest of the n - k that are left.
    """
    import numpy as np

    generator = np.random.default_rng(seed_of(key))
    ordered, size = np.sort(values), len(values)
    rank = (size + 1) // 2
    below = generator.beta(rank, size - rank + 1, DRAWS)
    lower = ordered[_place(below, size)]
    if size % 2:
        return lower, lower
    above = below + (1 - below) * (1 - generator.random(DRAWS) ** (1 / (size - rank)))
    return lower, ordered[_place(above, size)]


def _place(uniform: Floats, size: int) -> NDArray[np.int64]:
    import numpy as np

    return np.minimum((uniform * size).astype(np.int64), size - 1)


def middle_95(values: Floats) -> tuple[float, float]:
    """The 2.5 % and 97.5 % points, between neighbours as numpy does it; turned by a minus sign."""
    import numpy as np

    ordered = np.sort(values)
    place = _TAIL * (len(ordered) - 1)
    at, share = int(place), place - int(place)
    low = ordered[at] * (1 - share) + ordered[at + 1] * share
    high = ordered[-1 - at] * (1 - share) + ordered[-2 - at] * share
    return float(low), float(high)
