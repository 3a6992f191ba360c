"""Going through rounds of letters to thousands: batch by batch, each its own transaction."""

import logging
from collections.abc import Callable, Iterable

logger = logging.getLogger(__name__)


def go_through(
    rounds: Iterable[int], promise: Callable[[int], int], *, batch: int, batches: int
) -> int:
    """Promise so many batches of each round; how many in all. What fails waits for the next run.

    `promise` does the next batch of a round and says how many it had; fewer than `batch` end it.
    """
    return sum(_go_on(pk, promise, batch, batches) for pk in list(rounds))


def _go_on(pk: int, promise: Callable[[int], int], batch: int, batches: int) -> int:
    promised = 0
    try:
        for _turn in range(batches):
            count = promise(pk)
            promised += count
            if count < batch:
                break
    except Exception:  # whatever is wrong with this round, the next has its own letters
        logger.exception("letter round %d could not go on", pk)
    return promised
