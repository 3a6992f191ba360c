"""What two versions of rules have in common, and what one changed of the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.db.models import Field
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from governance.models import RuleSet
from governance.models.rule_set.composition import CompositionRules
from governance.models.rule_set.counting import CountingRules
from governance.models.rule_set.deciding import DecidingRules
from governance.models.rule_set.meeting import MeetingRules

TOPICS = (CountingRules, DecidingRules, CompositionRules, MeetingRules)
RULE_FIELDS = [field.name for topic in TOPICS for field in topic._meta.local_fields]


@dataclass(frozen=True, slots=True)
class Change:
    label: str
    before: str
    after: str


def changes(before: RuleSet, after: RuleSet) -> list[Change]:
    """The rules whose value differs, in the order of the form."""
    return [
        Change(_label(name), shown(before, name), shown(after, name))
        for name in ["name", *RULE_FIELDS]
        if getattr(before, name) != getattr(after, name)
    ]


def copied(rule_set: RuleSet) -> RuleSet:
    """The same rules as a version that nobody has kept yet."""
    values = {name: getattr(rule_set, name) for name in ["name", *RULE_FIELDS]}
    return RuleSet(body=rule_set.body, subject=rule_set.subject, **values)


def as_data(rule_set: RuleSet) -> dict[str, object]:
    """Every column, by name; these names are public."""
    return {name: getattr(rule_set, name) for name in RULE_FIELDS}


def shown(rule_set: RuleSet, name: str) -> str:
    """The value of a rule as the form words it."""
    value = getattr(rule_set, name)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if _field(name).choices:
        value = getattr(rule_set, f"get_{name}_display")()
    return str(value) if value not in {"", None} else "—"


def _label(name: str) -> str:
    return str(capfirst(str(_field(name).verbose_name)))


def _field(name: str) -> Field[Any, Any]:
    return cast("Field[Any, Any]", RuleSet._meta.get_field(name))
