from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from governance.models import Body, RuleSet

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule was read."""

    title: StrOrPromise
    url: str


@dataclass(frozen=True, slots=True)
class ReadyRules:
    """One rule set of a ready set; what is not named has the usual value of the column."""

    subject: str
    name: StrOrPromise
    fields: Mapping[str, Any] = field(default_factory=dict)

    def as_rule_set(self, body: Body) -> RuleSet:
        """A version that nobody has kept yet, for the editor, the words and the what-if page."""
        return RuleSet(body=body, subject=self.subject, name=str(self.name), **self.fields)


@dataclass(frozen=True, slots=True)
class ReadySet:
    """Rules of a kind of foundation, to begin with; the clauses name where each was read."""

    slug: str
    name: StrOrPromise
    about: StrOrPromise
    sources: tuple[Source, ...]
    rules: tuple[ReadyRules, ...]

    def of(self, subject: str) -> ReadyRules | None:
        return next((rules for rules in self.rules if rules.subject == subject), None)
