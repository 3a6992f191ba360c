"""Who gets in where: one table for every address of the site, a file per app.

`tests/test_permissions.py` walks every address with every role and fails for an address without
a row. To add one: in the file of your app, write into `PAGES` under the URL name (with its
namespace) who gets in, and, where the address has arguments, how to make a thing to look at:

    PAGES = {
        "governance:motions": Page(EVERYBODY),
        "governance:vote": Page({"bob"}, sample=vote_path, method="POST"),
    }

    def vote_path(cast: Cast) -> str:
        return f"/governance/motions/{open_motion(actor=cast['frank']).slug}/vote/"

Making a thing may cost more than asking for it: rows whose `sample` is a `Place` of the same `make`
share what it makes.

A new file is found by itself. A function of the JSON API that asks for a token only has the row
`Page(NOBODY, method="POST")`: a session does not open it. Addresses that no request can stand
for go into `SKIPPED`, with the reason.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from portal.accounts.models import User
from tests.cast import ROLES

Cast = Mapping[str, User]

NOBODY: Set[str] = frozenset()
STRANGER: Set[str] = frozenset({"anonymous"})
SIGNED_IN: Set[str] = frozenset(ROLES)
EVERYBODY: Set[str] = SIGNED_IN | STRANGER
WITH_ROLE: Set[str] = SIGNED_IN - {"charlie"}
STAFF: Set[str] = frozenset({"frank"})


@dataclass(frozen=True)
class Place:
    """An address among things that several rows look at: they are made once for all of these."""

    make: Callable[[Cast], object]
    path: Callable[[Any], str]  # of what `make` returned


@dataclass(frozen=True)
class Page:
    """One address: who gets in (names of `tests.cast.ROLES`, or "anonymous"), how it is asked.

    `sample` makes what the address shows and returns its path; only addresses with arguments
    need it. Kept out means: sent to the login, 401, 403, 404. Everything else is in, an answer
    to wrong input included.
    """

    who: Set[str]
    sample: Callable[[Cast], str] | Place | None = None
    method: str = "GET"
    data: Mapping[str, object] = field(default_factory=dict)
