"""The rules of a body: columns by topic, joined in one row per version."""

from governance.models.rule_set.counting import COUNTING
from governance.models.rule_set.version import RuleSet, RuleSetQuerySet, everyday

__all__ = ["COUNTING", "RuleSet", "RuleSetQuerySet", "everyday"]
