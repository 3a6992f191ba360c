"""What a bundle of decisions holds. To add a part: a module beside these whose `documents(asked)`
yields names and documents, a line here, and its check in `governance/bundle/kinds.py`.
"""

from collections.abc import Callable, Iterator
from typing import Any

from governance.sections import bylaws, consensus, consent, minutes, motion, rules, typo
from governance.sections.asked import Asked

Documents = Iterator[tuple[str, dict[str, Any]]]

# In this order: what another part refers to was there before it, so it is read after it.
SECTIONS: tuple[Callable[[Asked], Documents], ...] = (
    typo.documents,
    bylaws.documents,
    minutes.documents,
    motion.documents,
    consent.documents,
    consensus.documents,
    rules.documents,
)
