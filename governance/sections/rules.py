"""Versions of rules that something was decided by: they never change."""

from collections.abc import Iterator
from typing import Any

from governance.bundle import plain
from governance.models import RuleSet
from governance.sections.asked import Asked

CLAUSES = [field.name for field in RuleSet._meta.fields if field.name.endswith("_clause")]


def name_of(rule_set: RuleSet) -> str:
    return f"rules/{rule_set.body.slug}-{rule_set.subject}-{rule_set.version}"


def documents(asked: Asked) -> Iterator[tuple[str, dict[str, Any]]]:
    decided = RuleSet.objects.filter(motions__decided_at__lte=asked.at).distinct()
    found = asked.missing(decided, "rules/", "body__slug", "-", "subject", "-", "version")
    for rule_set in found.select_related("body").order_by("pk"):
        yield name_of(rule_set), _document(rule_set)


def _document(rule_set: RuleSet) -> dict[str, Any]:
    return {
        "kind": "rules",
        "body": {"slug": rule_set.body.slug, "name": rule_set.body.name},
        "subject": rule_set.subject,
        "name": rule_set.name,
        "version": rule_set.version,
        "since": rule_set.since.isoformat(),
        "numbers": plain.dump(rule_set.rules),
        "procedure": plain.dump(rule_set.procedure),
        "clauses": {name: getattr(rule_set, name) for name in CLAUSES if getattr(rule_set, name)},
    }
