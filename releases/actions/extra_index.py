"""What a YUM repository carries beside the indices of its packages.

To add a kind: a function here, from the repository to the whole text of the file, or to nothing
where there is none. repomd.xml then lists it under that kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from releases.advisory import updateinfo_of
from releases.models import Repository

EXTRA_INDICES: Final[dict[str, Callable[[Repository], bytes]]] = {
    "updateinfo": updateinfo_of,
}


def extra_indices(repository: Repository) -> dict[str, bytes]:
    """The texts by kind, such as updateinfo; a kind without a text is left out."""
    if repository.system.is_deb:
        return {}
    found = {kind: write(repository) for kind, write in EXTRA_INDICES.items()}
    return {kind: text for kind, text in found.items() if text}
