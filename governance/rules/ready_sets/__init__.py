"""Rule sets to begin with, as data: to add one, copy a file of this folder and name it here."""

from governance.rules.ready_sets.apache import APACHE
from governance.rules.ready_sets.debian import DEBIAN
from governance.rules.ready_sets.delaware import DELAWARE
from governance.rules.ready_sets.members_and_contributors import MEMBERS_AND_CONTRIBUTORS
from governance.rules.ready_sets.ready_set import ReadyRules, ReadySet, Source

__all__ = ["READY_SETS", "ReadyRules", "ReadySet", "Source"]

READY_SETS: dict[str, ReadySet] = {
    each.slug: each for each in (DELAWARE, MEMBERS_AND_CONTRIBUTORS, DEBIAN, APACHE)
}
