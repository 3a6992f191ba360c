"""Acting on many motions, one transaction each: one that fails stops no other."""

import logging
from collections.abc import Callable, Iterable

from django.db import transaction

logger = logging.getLogger(__name__)


def sweep(motions: Iterable[int], act: Callable[[int], bool]) -> int:
    """On how many motions this call acted; what fails is told in the log."""
    done = 0
    for pk in motions:
        try:
            with transaction.atomic():
                done += act(pk)
        except Exception:  # whatever is wrong with this motion, it is not the fault of the next
            logger.exception("motion %d could not be moved on", pk)
    return done
