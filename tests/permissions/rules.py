"""The rules that bodies decide by: everybody reads them, staff write them."""

from collections.abc import Set

from tests.permissions import EVERYBODY, SIGNED_IN, STAFF, Page, Place
from tests.permissions.governance import board

ORDINARY = "/governance/rules/board/ordinary/"
READY_SETS = "/governance/rules/ready-sets/"


def of_rules(path: str, who: Set[str] = EVERYBODY) -> Page:
    """A page of the ordinary rules of the board, which are made once for all of them."""
    return Page(who, sample=Place(board, lambda _body: ORDINARY + path))


PAGES = {
    "governance:affirmation": Page(SIGNED_IN),
    "governance:rules": Page(EVERYBODY),
    "governance:rule_set_new": Page(STAFF),
    "governance:ready_set": Page(EVERYBODY, sample=lambda cast: f"{READY_SETS}debian/"),
    "governance:ready_what_if": Page(
        EVERYBODY, sample=lambda cast: f"{READY_SETS}debian/general/what-if/"
    ),
    "governance:rule_set_current": of_rules(""),
    "governance:rule_set": of_rules("1/"),
    "governance:rule_set_json": of_rules("1.json"),
    "governance:rule_what_if": of_rules("1/what-if/"),
    "governance:rule_set_next": of_rules("1/next/", STAFF),
    "governance:rule_set_correct": of_rules("1/correct/", STAFF),
}
